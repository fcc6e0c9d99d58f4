import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { normalize } from 'node:path/posix'
import ts from 'typescript'
import { expect, test } from 'vitest'
import jsr from '../../jsr.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import { BUILT, SUBPATHS } from '../../subpaths.ts'

const folder = join(import.meta.dirname, '../../src')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))

const IMPORTS = new Map(files.map((file) => [file, importsOf(file)]))

function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(
    readFileSync(join(folder, file), 'utf8'),
  )
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith('.')
      ? normalize(`${dirname(file)}/${fileName}`)
      : fileName,
  )
}

function closure(file: string, found = new Set([file])): Set<string> {
  for (const next of IMPORTS.get(file) ?? []) {
    if (!found.has(next)) closure(next, found.add(next))
  }
  return found
}

const packagesOf = (file: string) =>
  [...closure(file)].filter((name) => !IMPORTS.has(name))
const sources = Object.keys(BUILT).map((name) => `${name}.ts`)

const core = files.filter((file) => file.startsWith('core/'))

// All other built files import the bundle of src/core, so an import of such a
// file by src/core would be circular.
test.each(core)('%s imports only files of src/core', (file) => {
  expect(IMPORTS.get(file)?.filter((name) => !core.includes(name))).toEqual([])
})

test.each(sources)(
  '%s imports only packages that are peer dependencies',
  (file) => {
    const unexpected = packagesOf(file).filter(
      (name) =>
        !Object.hasOwn(
          manifest.peerDependencies,
          name.replace(/^((@[^/]+\/)?[^/]+).*/, '$1'),
        ),
    )
    expect(unexpected).toEqual([])
  },
)

// The build copies a folder such as src/zod into each built file that imports
// the folder, so only src/zod.ts may import src/zod.
test.each(files.filter((file) => !file.startsWith('core/')))(
  '%s imports only shared folders, the top of src and its own folder',
  (file) => {
    const own = `${file.replace(/[./].*/, '')}/`
    const allowed = (name: string) =>
      !IMPORTS.has(name) ||
      /^(core|forms|generate)\//.test(name) ||
      sources.includes(name) ||
      name.startsWith(own)
    expect(IMPORTS.get(file)?.filter((name) => !allowed(name))).toEqual([])
  },
)

test('no file imports index.ts, which only lists what is public', () => {
  expect(
    files.filter((file) => IMPORTS.get(file)?.includes('index.ts')),
  ).toEqual([])
})

test('the command imports only Node modules from outside of src', () => {
  const imports = files
    .filter((file) => file.startsWith('cli'))
    .flatMap((file) => IMPORTS.get(file) ?? [])
  expect(
    imports.filter((name) => !IMPORTS.has(name) && !name.startsWith('node:')),
  ).toEqual([])
})

test('the published package exports the built files of every subpath, and the test vectors', () => {
  const { exports: all, types: main, typesVersions } = manifest.publishConfig
  const { './vectors.json': vectors, './package.json': own, ...exports } = all
  expect([vectors, own]).toEqual(['./dist/vectors.json', './package.json'])
  expect(manifest.publishConfig.main).toBe(all['.'].require)
  type File = string | { types: string; default: string }
  type Conditions = { import: File; require: File; types?: string }
  const fileOf = (file: File) =>
    typeof file === 'string' ? file : file.default
  const found = Object.entries<Conditions>(exports).map(
    ([key, { import: esm, require: cjs, types }]) => [
      ...[key, fileOf(esm), fileOf(cjs)],
      typeof cjs === 'string' ? types : cjs.types,
    ],
  )
  expect(found).toEqual(
    SUBPATHS.map(({ key, name }) => [
      ...[key, `./dist/${name}.js`, `./dist/${name}.cjs`],
      `./dist/${name}.d.cts`,
    ]),
  )
  // With `moduleResolution: node10`, TypeScript ignores `exports`, so
  // `typesVersions` must name the same files.
  expect({ '.': [main], ...typesVersions['*'] }).toEqual(
    Object.fromEntries(
      SUBPATHS.map(({ key, name }) => [
        key.replace('./', ''),
        [`./dist/${name}.d.cts`],
      ]),
    ),
  )
})

/*
 * A consumer's declaration file names the types of its exported values. If the
 * library does not export such a type, the compiler fails (TS4023).
 */
test('every interface, class and enumeration that an exported type leads to is exported', () => {
  const entries = SUBPATHS.map(({ source }) => join(folder, '..', source))
  const options = { allowImportingTsExtensions: true, noLib: true, types: [] }
  // This host resolves only relative imports, because loading the types of
  // other packages would take seconds.
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? {
            resolvedFileName: normalize(`${dirname(from)}/${text}`),
            extension: '.ts',
          }
        : undefined,
    }))
  const program = ts.createProgram(entries, options, host)
  const checker = program.getTypeChecker()
  const resolve = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias
      ? checker.getAliasedSymbol(symbol)
      : symbol
  const exported = new Set(
    entries.flatMap((file) => {
      const source = program.getSourceFile(file) as ts.SourceFile
      const symbol = checker.getSymbolAtLocation(source) as ts.Symbol
      return checker.getExportsOfModule(symbol).map(resolve)
    }),
  )
  const found = new Set(exported)
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node)) return
    if (ts.isIdentifier(node)) add(checker.getSymbolAtLocation(node))
    ts.forEachChild(node, visit)
  }
  const add = (symbol?: ts.Symbol) => {
    if (!symbol) return
    const own = resolve(symbol)
    const { declarations = [] } = own
    const isOwn = declarations[0]?.getSourceFile().fileName.startsWith(folder)
    if (!isOwn || !(own.flags & ts.SymbolFlags.Type) || found.has(own)) return
    found.add(own)
    for (const declaration of declarations) visit(declaration)
  }
  for (const { declarations = [] } of exported)
    for (const declaration of declarations)
      if (!ts.isSourceFile(declaration)) visit(declaration)
  expect(found.size).toBeGreaterThan(exported.size)
  const named =
    ts.SymbolFlags.Interface | ts.SymbolFlags.Class | ts.SymbolFlags.Enum
  const hidden = [...found].filter(
    (symbol) => symbol.flags & named && !exported.has(symbol),
  )
  expect(hidden.map(({ name }) => name)).toEqual([])
})

test('jsr.json has the version and the subpaths of package.json', () => {
  const { './package.json': _, ...exports } = manifest.exports
  expect(jsr.exports).toEqual(exports)
  expect(jsr.version).toBe(manifest.version)
})
