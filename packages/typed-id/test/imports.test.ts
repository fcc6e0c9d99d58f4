import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Each file may import, at run time, only from files above it. */
const ORDER = [
  'text.ts',
  'error.ts',
  'prefix.ts',
  'explain.ts',
  'result.ts',
  'source.ts',
  'uuid.ts',
  'types.ts',
  'id-type.ts',
  'registry.ts',
  'zod.ts',
  'index.ts',
  'base62.ts',
  'name.ts',
  'testing.ts',
  'kysely.ts',
  'cli.ts',
]

/** What a subpath may import besides. */
const OTHERS: Record<string, string[]> = {
  'zod.ts': ['zod'],
  'kysely.ts': ['kysely'],
  'cli.ts': ['node:fs', './cli/run.ts'],
}

const folder = new URL('../src/', import.meta.url)
const importsOf = (file: string) =>
  [
    ...readFileSync(new URL(file, folder), 'utf8').matchAll(
      /^(?:import|export|\}) (?!type)[^;\n]*?from '(.+)'$/gm,
    ),
  ].map((match) => match[1] as string)

test('every file has its place in the order', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name !== 'cli')
      .sort(),
  ).toEqual([...ORDER].sort())
})

test.each(ORDER)('%s imports only what stands above it', (file) => {
  const above = ORDER.slice(0, ORDER.indexOf(file)).map((name) => `./${name}`)
  for (const name of importsOf(file)) expect([...above, ...(OTHERS[file] ?? [])]).toContain(name)
})

test('the command line sees of the library what its users see', () => {
  const own = readdirSync(new URL('cli/', folder)).map((name) => `./${name}`)
  const allowed = [...own, '../index.ts', '../base62.ts', 'node:util']
  for (const file of own) for (const name of importsOf(`cli/${file}`)) expect(allowed).toContain(name)
})

test('the core loads neither zod nor anything of Node', () => {
  expect(importsOf('index.ts')).not.toContain('./zod.ts')
})
