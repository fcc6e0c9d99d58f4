import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishedName } from 'typed-id/internal/release/pack.ts'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { rewrite } from '../src/rewrite.ts'
import { RULES } from '../src/rules.ts'
import { parseSource } from '../src/source.ts'
import { CASES } from './cases.ts'

test('there are more than 50 cases, and every tenth or more stays unchanged', () => {
  expect(CASES.length).toBeGreaterThan(50)
  expect(CASES.filter(({ before, after }) => before === after).length).toBeGreaterThan(CASES.length / 10)
})

test('the code of the README is rewritten as it shows', () => {
  const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const code = /^```ts\n([\s\S]*?)^```$/m.exec(readme)?.[1] ?? ''
  const before = code.replace(/^.* \/\/ was: /m, '').replace(/^\/\/ TODO .*\n/m, '')
  expect(rewrite('users.ts', before, RULES.uuid)).toBe(code.replace(/ \/\/ was: .*/, ''))
})

describe.each(CASES)('$from: $title', ({ from, name, before, after }) => {
  test('is rewritten as expected', () => {
    expect(rewrite(name, before, RULES[from])).toBe(after)
  })

  test('parses, and is unchanged by a second run', () => {
    expect(() => parseSource(name, after)).not.toThrow()
    expect(rewrite(name, after, RULES[from])).toBe(after)
  })
})

test('every other package leaves its cases unchanged', () => {
  for (const { from, name, before } of CASES) {
    for (const other of Object.keys(RULES) as (keyof typeof RULES)[]) {
      if (other !== from) expect(rewrite(name, before, RULES[other])).toBe(before)
    }
  }
})

test('imports of the library have its name in the registry', () => {
  expect(RULES.uuid.target).toBe(publishedName())
})

test('a file that does not parse throws with its line', () => {
  const text = "import { v4 } from 'uuid'\nconst id = (\n"
  expect(() => rewrite('users.ts', text, RULES.uuid)).toThrow(/^users\.ts:2: /)
})

test('the files with known packages compile, before and after', () => {
  const known = /^(typed-id(\/.+)?|typeid-js|uuid|nanoid|node:.+)$/
  const compiled = CASES.filter(({ name, before }) => {
    const imports = ts.preProcessFile(before, true, true).importedFiles
    return /\.[cm]?ts$/.test(name) && imports.every(({ fileName }) => known.test(fileName))
  })
  expect(compiled.length).toBeGreaterThan(30)
  const files = new Map(
    compiled.flatMap(({ name, before, after }, index) => [
      [join(import.meta.dirname, `${index}-before`, name), before],
      [join(import.meta.dirname, `${index}-after`, name), after],
    ]),
  )
  expect(compileErrors(files)).toEqual([])
})

/** Compiles files that exist in memory only. */
function compileErrors(files: ReadonlyMap<string, string>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (name, target, ...rest) => {
    const text = files.get(name)
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target)
  }
  const program = ts.createProgram([...files.keys()], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`)
}
