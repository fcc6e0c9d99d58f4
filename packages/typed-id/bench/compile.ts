import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'
import ts from 'typescript'

/* `node bench/compile.ts --write` updates the table of docs/benchmarks.md. */

const ROOT = join(import.meta.dirname, '..')
const FILE = join(ROOT, 'test/package/many-types.ts')
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  ROOT,
)
const parsed = new Map<string, ts.SourceFile | undefined>()

export function compile(text: string) {
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, target, ...rest) => {
    if (name === FILE) return ts.createSourceFile(name, text, target)
    if (!parsed.has(name))
      parsed.set(name, getSourceFile(name, target, ...rest))
    return parsed.get(name)
  }
  const program = ts.createProgram([FILE], options, host)
  const start = performance.now()
  const errors = program.getSemanticDiagnostics(program.getSourceFile(FILE))
  const messages = errors.map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, '\n'),
  )
  const ms = performance.now() - start
  return { messages, instantiations: program.getInstantiationCount(), ms }
}

const TYPES = 500
const ROUNDS = 7
/**
 * Each measured program imports only the names that it uses, because an unused
 * import would add to the counted type instantiations.
 */
const IMPORTS = {
  defineId: "import { defineId, type IdOf } from 'typed-id'",
  idSchema: "import { idSchema } from 'typed-id/zod'",
  fromString: "import { fromString, toUUID, type TypeId } from 'typeid-js'",
  'z.': "import * as z from 'zod'",
}

const PROGRAMS: Readonly<Record<string, (i: number) => string>> = {
  '`defineId`': (i) => `export const T${i} = defineId('type${i}')
export const f${i} = (id: IdOf<typeof T${i}>) => T${i}.toUuid(id)`,
  'typeid-js, `fromString`': (
    i,
  ) => `export const parse${i} = (text: string) => fromString(text, 'type${i}')
export const f${i} = (id: TypeId<'type${i}'>) => toUUID(id)`,
  '`idSchema`, with `defineId`': (i) => `const T${i} = defineId('type${i}')
export const S${i} = idSchema(T${i})
export const f${i} = (id: z.infer<typeof S${i}>) => S${i}.parse(id)`,
  'zod brand': (i) => `export const S${i} = z.uuid().brand<'type${i}'>()
export const f${i} = (id: z.infer<typeof S${i}>) => S${i}.parse(id)`,
  'an object of `idSchema`': (i) => `const T${i} = defineId('type${i}')
export const S${i} = z.object({ id: idSchema(T${i}), next: idSchema(T${i}).optional() })
export const f${i} = (body: z.infer<typeof S${i}>) => body.id`,
  'an object of zod brands': (i) => `const T${i} = z.uuid().brand<'type${i}'>()
export const S${i} = z.object({ id: T${i}, next: T${i}.optional() })
export const f${i} = (body: z.infer<typeof S${i}>) => body.id`,
}

if (import.meta.main) {
  const programs = Object.entries(PROGRAMS).map(([name, lines]) => {
    const types = Array.from({ length: TYPES }, (_, i) => lines(i))
    const imports = Object.entries(IMPORTS)
      .filter(([used]) => types[0]?.includes(used))
      .map(([, line]) => line)
    const text = `${[...imports, ...types].join('\n')}\n`
    const { messages, instantiations } = compile(text)
    if (messages[0]) throw new Error(messages[0])
    return { name, text, instantiations, times: [] as number[] }
  })
  for (let round = 0; round < ROUNDS; round++)
    for (const { text, times } of programs) times.push(compile(text).ms)
  const rows = programs.map(({ name, instantiations, times }) => [
    name,
    instantiations,
    Math.round(Math.min(...times)),
  ])
  const table = formatTable({
    columns: ['500 types', 'instantiations', 'ms'],
    rows,
  })
  console.log(table)
  const page = new URL('docs/benchmarks.md', REPOSITORY)
  if (process.argv.includes('--write'))
    writeFileSync(
      page,
      replaceSection(readFileSync(page, 'utf8'), 'compile', table),
    )
}
