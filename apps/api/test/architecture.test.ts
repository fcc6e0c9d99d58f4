import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src/', import.meta.url))
const files = globSync('**/*.ts', { cwd: src })

/** Every import of a file of ours, as paths below src/. */
const imports = files.flatMap((file) =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, target = '']) => ({
    file,
    target: relative(src, join(src, dirname(file), target)),
  })),
)

/** Files that begin so import nothing that begins so. */
const forbidden: [from: RegExp, to: RegExp, why: string][] = [
  [/^profile-a\//, /^profile-b\//, 'a profile knows nothing of the other'],
  [/^profile-b\//, /^profile-a\//, 'a profile knows nothing of the other'],
  [/\/store\//, /^http\/|^profile-.\/(?!store\/)/, 'storage knows nothing of HTTP'],
  [/^database\//, /^http\/|^profile/, 'the database knows neither HTTP nor tables'],
  [/^http\//, /^profile-/, 'HTTP knows no profile by name'],
  [/^(?!main\.ts)/, /^main\.ts/, 'nothing imports the shell'],
  [/^(?!app\.ts|main\.ts|commands\/)/, /^app\.ts/, 'only the shell imports the app'],
  [/^(?!main\.ts)/, /^commands\//, 'commands are for the shell'],
]

test.for(forbidden)('%s does not import %s: %s', ([from, to]) => {
  expect(imports.filter(({ file, target }) => from.test(file) && to.test(target))).toEqual([])
})

test('only main.ts reads the process', () => {
  const readers = files.filter((file) =>
    /\bprocess\.(env|argv|exit)/.test(readFileSync(join(src, file), 'utf8')),
  )
  expect(readers).toEqual(['main.ts'])
})

test('only database/ and the configuration name an engine', () => {
  const naming = files.filter((file) => /sqlite|postgres/i.test(readFileSync(join(src, file), 'utf8')))
  expect(naming.filter((file) => !file.startsWith('database/') && file !== 'config.ts')).toEqual([])
})
