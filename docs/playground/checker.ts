/* A worker that compiles the code of the playground. */
import ts from 'typescript'

/** The declarations of the language and of the library, by path, which `build.ts` inserts. */
declare const FILES: Record<string, string>

export interface Problem {
  readonly start: number
  readonly length: number
  readonly line: number
  readonly message: string
}

export interface Compiled {
  readonly version: number
  readonly problems: readonly Problem[]
  readonly script: string
}

const MAIN = '/main.ts'
const files: Record<string, string> = {
  ...FILES,
  '/console.d.ts': 'declare const console: { log(...values: unknown[]): void }',
}
let version = 0

const read = (path: string): string | undefined => files[path]
const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ['lib.es2022.d.ts'],
    types: [],
    skipLibCheck: true,
  }),
  getScriptFileNames: () => [MAIN, '/console.d.ts'],
  getScriptVersion: (path) => (path === MAIN ? String(version) : ''),
  getScriptSnapshot(path) {
    const text = read(path)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  },
  getCurrentDirectory: () => '/',
  getDefaultLibFileName: () => '/lib/lib.es2022.d.ts',
  fileExists: (path) => read(path) !== undefined,
  readFile: read,
})

addEventListener('message', ({ data }: MessageEvent<{ version: number; code: string }>) => {
  files[MAIN] = data.code
  version = data.version
  const found = [...service.getSyntacticDiagnostics(MAIN), ...service.getSemanticDiagnostics(MAIN)]
  const problems = found.map(({ start = 0, length = 0, messageText }) => ({
    start,
    length,
    line: data.code.slice(0, start).split('\n').length,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
  const { outputText } = ts.transpileModule(data.code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  postMessage({ version, problems, script: outputText } satisfies Compiled)
})
