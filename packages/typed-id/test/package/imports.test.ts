import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { normalize } from 'node:path/posix'
import ts from 'typescript'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { SUBPATHS } from '../../subpaths.ts'

const folder = join(import.meta.dirname, '../../src')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/')) // the separator on Windows

/** The imports of each file, including type imports. Files are named by their path in src, packages by their name. */
const IMPORTS = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), 'utf8'))
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.') ? normalize(`${dirname(file)}/${fileName}`) : fileName,
  )
}

function findCycle(file: string, path: string[] = []): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
  for (const next of IMPORTS.get(file) ?? []) {
    const cycle = findCycle(next, [...path, file])
    if (cycle) return cycle
  }
  return undefined
}

/** The file and every file and package that it loads, directly or indirectly. */
function closure(file: string, found = new Set([file])): Set<string> {
  for (const next of IMPORTS.get(file) ?? []) {
    if (!found.has(next)) closure(next, found.add(next))
  }
  return found
}

const packagesOf = (file: string) => [...closure(file)].filter((name) => !IMPORTS.has(name))
const sources = SUBPATHS.map(({ name }) => `${name}.ts`)

test('the import graph includes type imports', () => {
  expect(IMPORTS.get('types.ts')).toContain('error.ts')
  expect(IMPORTS.get('kysely.ts')).toEqual(['kysely', 'index.ts', 'kysely/plugin.ts'])
})

test.each(files)('%s is in no import cycle', (file) => {
  expect(findCycle(file)?.join(' imports ')).toBeUndefined()
})

test('the core imports no package and no Node module', () => {
  expect(packagesOf('index.ts')).toEqual([])
})

test.each(sources)('%s imports only packages that are peer dependencies', (file) => {
  const unexpected = packagesOf(file).filter((name) => !Object.hasOwn(manifest.peerDependencies, name))
  expect(unexpected).toEqual([])
})

// The build bundles every other file into each subpath that imports it: a second copy of the core.
test.each(sources.filter((file) => file !== 'index.ts'))(
  '%s imports the core through index.ts only',
  (file) => {
    const core = closure('index.ts')
    const own = [...closure(file)].filter((name) => IMPORTS.has(name) && !core.has(name))
    const imported = own.flatMap((name) => IMPORTS.get(name) ?? []).filter((name) => core.has(name))
    expect(new Set(imported)).toEqual(new Set(['index.ts']))
  },
)

test('the command imports only files that are subpaths of the package, and Node modules', () => {
  const imports = files.filter((file) => file.startsWith('cli')).flatMap((file) => IMPORTS.get(file) ?? [])
  const allowed = (name: string) =>
    name.startsWith('cli/') || name.startsWith('node:') || sources.includes(name)
  expect(imports.filter((name) => !allowed(name))).toEqual([])
})
