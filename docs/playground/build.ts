/*
 * Builds the programs of the playground into docs/public/playground/. checker.js contains TypeScript with the
 * declarations of the language and of the library, runner.js contains the library. Only the playground loads them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'

const NAME = 'typed-id'
const SOURCES = fileURLToPath(new URL('../../packages/typed-id/src/', import.meta.url))
const LIBRARIES = createRequire(import.meta.url)
  .resolve('typescript')
  .replace(/[^/\\]+$/, '')
const OUTPUT = fileURLToPath(new URL('../public/playground/', import.meta.url))

/** The entries of the package that need no other package. */
const ENTRIES = 'index base62 codec loose name opaque range standard testing typeid'.split(' ')

const { compilerOptions } = ts.readConfigFile(`${SOURCES}../../../tsconfig.base.json`, ts.sys.readFile).config
const { options } = ts.convertCompilerOptionsFromJson(
  { ...compilerOptions, lib: ['ES2023', 'DOM'], types: [], noEmit: false },
  SOURCES,
)

/** The declarations by path. Imports of `./types.ts` become `./types.js`, which resolves to `types.d.ts`. */
const files: Record<string, string> = {}
ts.createProgram(
  ENTRIES.map((entry) => `${SOURCES}${entry}.ts`),
  { ...options, declaration: true, emitDeclarationOnly: true, outDir: '/out', rootDir: SOURCES },
).emit(undefined, (path, text) => {
  files[path.replace('/out', `/node_modules/${NAME}`)] = text.replace(/\.ts'/g, ".js'")
})

/** Adds a library of the language, such as `es2022`, and the libraries that it refers to, without comments. */
function addLibrary(name: string): void {
  const path = `/lib/lib.${name}.d.ts`
  if (files[path]) return
  const text = readFileSync(`${LIBRARIES}lib.${name}.d.ts`, 'utf8')
  files[path] = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s+/gm, '')
  for (const [, reference = ''] of text.matchAll(/<reference lib="([^"]+)"/g)) addLibrary(reference)
}
addLibrary('es2022')

const modules = ENTRIES.map((entry) => (entry === 'index' ? '' : `/${entry}`))
const runner = [
  `import { startRunner } from './runner.ts'`,
  ...modules.map((path, index) => `import * as module${index} from 'typed-id${path}'`),
  `startRunner({ ${modules.map((path, index) => `'${NAME}${path}': module${index}`).join()} })`,
].join('\n')

async function write(name: string, contents: string, define: Record<string, string> = {}): Promise<void> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    target: 'es2022',
    define,
  })
  writeFileSync(`${OUTPUT}${name}.js`, outputFiles[0]?.contents ?? '')
}

mkdirSync(OUTPUT, { recursive: true })
await write('checker', `import './checker.ts'`, { FILES: JSON.stringify(files) })
await write('runner', runner)
