import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Edge, findCycle, importsOf, targetOf } from 'testkit/imports.ts'
import { type IdType, uuidv7At } from 'typed-id'
import { expect, onTestFinished, test } from 'vitest'
import * as ids from '../../src/ids.ts'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const slashes = (path: string) => path.replaceAll('\\', '/') // the separator on Windows
const files = globSync('**/*.ts', { cwd: src }).map(slashes)
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')

/** Every relative import, as paths below src/. */
const imports = importsOf(new URL('../../src/', import.meta.url), files)
  .filter(({ name }) => name.startsWith('.'))
  .map((found) => ({ file: found.file, target: targetOf(found) }))

// A test of the package `documents` finds cycles between files.
test('there is no import cycle between folders, at any depth', () => {
  expect(imports.length).toBeGreaterThan(100)
  const folders = imports.map(({ file, target }): Edge => [dirname(file), dirname(target)])
  const between = folders.filter(([from, to]) => from !== to && from !== '.' && to !== '.')
  expect(findCycle(between), 'import cycle').toBeUndefined()
})

test('the store of a profile imports neither HTTP nor the rest of the profile', () => {
  const fromStore = imports.filter(({ file }) => /\/store[./]/.test(file))
  expect(new Set(fromStore.map(({ file }) => file.split('/')[0]))).toEqual(
    new Set(['profile-a', 'profile-b']),
  )
  expect(
    fromStore.filter(({ target }) => /^http\/|^profile\.ts|^profile-.\/(?!store[./])/.test(target)),
  ).toEqual([])
})

test('every file is imported by another one, except main.ts', () => {
  const imported = new Set(imports.map(({ target }) => target))
  expect(
    files.filter((file) => !imported.has(file)),
    'no file imports these',
  ).toEqual(['main.ts'])
})

test('only main.ts reads the process', () => {
  const readers = files.filter((file) => /\bprocess\.(env|argv|exit)/.test(textOf(file)))
  expect(readers, 'only main.ts may use process.env, process.argv and process.exit').toEqual(['main.ts'])
})

test('ids.ts lists each id type, and types of version 7 continue after the stored ids', () => {
  const types = Object.values<object>(ids).filter((value): value is IdType<string> => 'prefix' in value)
  expect(types.filter((type) => !ids.ID_TYPES.includes(type)).map(({ prefix }) => prefix)).toEqual([])
  const stored = uuidv7At(Date.now() + 60_000)
  onTestFinished(() => ids.continueIdsAfter(uuidv7At(0)))
  ids.continueIdsAfter(stored)
  for (const { prefix, generate, timestamp, toUuid } of types) {
    const id = generate()
    if (timestamp(id)) expect(toUuid(id) > stored, `${prefix}: defineId('${prefix}', { uuid })`).toBe(true)
  }
})
