import { execFile } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineId } from '../../src/index.ts'

/*
 * Runs the code of the README and of the guide. In TypeScript snippets, the
 * comment `// → value` states the value of an expression in the format of
 * util.inspect. In console snippets, the output is below `$ command`.
 */

const run = promisify(execFile)
const TSC = fileURLToPath(
  new URL('../../../../node_modules/typescript-7/bin/tsc', import.meta.url),
)
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))

const FOLDER = `${PACKAGE}test/.readme`

const SITE = `${PACKAGE}../../docs/`
const PAGES = globSync(
  ['{index,recipes,benchmarks,comparison}.md', '{guide,recipes}/*.md'],
  { cwd: SITE },
).sort()

const DOCUMENTS: ReadonlyMap<string, string> = new Map([
  ['README.md', readFileSync(`${PACKAGE}README.md`, 'utf8')],
  ...PAGES.map((page) => [page, readFileSync(SITE + page, 'utf8')] as const),
])

const blocks = (language: string) =>
  [...DOCUMENTS].flatMap(([document, text]) =>
    [
      ...text.matchAll(
        new RegExp(
          `(?:^\`(.+)\\.ts\`\\n\\n)?^\`\`\`${language}(?: twoslash)?\\n([^]*?)^\`\`\`$`,
          'gm',
        ),
      ),
    ].map(([, file, code = '']) => ({
      document,
      file,
      code,
    })),
  )

const snippets = blocks('ts')
const shown = snippets.filter(
  ({ document, code }) => document === 'README.md' || code.includes('// →'),
)
const sources = snippets
  .filter(
    (one) =>
      shown.includes(one) ||
      shown.some(({ code }) => code.includes(`'./${one.file}.ts'`)),
  )
  .map(({ document, file, code }, index) => ({
    index,
    code,
    name: file ?? `${index}-${document.replace(/\W+/g, '-')}`,
  }))

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true })
  const tsconfig = {
    extends: `${PACKAGE}tsconfig.json`,
    include: ['./*.ts'],
    exclude: ['./run-*.ts'],
    compilerOptions: {
      noUnusedLocals: false,
      typeRoots: [`${PACKAGE}../../node_modules/@types`],
    },
  }
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(tsconfig))
  for (const { name, code } of sources) {
    writeFileSync(`${FOLDER}/${name}.ts`, `${code}\nexport {}\n`)
    writeFileSync(`${FOLDER}/run-${name}.ts`, printResults(code))
  }
})
afterAll(() => rmSync(FOLDER, { recursive: true }))

describe('TypeScript', () => {
  test('every snippet compiles', async () => {
    const { stdout } = await run(process.execPath, [
      TSC,
      '-p',
      FOLDER,
      '--checkers',
      '1',
    ]).catch((error) => error)
    expect(stdout).toBe('')
  })

  let printed: readonly string[] = []
  beforeAll(async () => {
    const runAll = `for (const name of ${JSON.stringify(sources.map(({ name }) => name))}) {
      await import('./run-' + name + '.ts').catch((error) => console.log(error))
      console.log('\\0')
    }`
    const { stdout } = await run(
      process.execPath,
      ['--input-type=module', '-e', runAll],
      { cwd: FOLDER },
    )
    printed = stdout.split('\0\n')
  })

  test.each(sources)(
    'snippet $name returns the stated values',
    ({ index, code }) => {
      const stated = [...code.matchAll(RESULT)].map(([, value = '']) =>
        value.replace(/\n *\/\/ {3}/g, ' '),
      )
      expect(printed[index]?.split('\n').slice(0, -1)).toEqual(stated)
    },
  )
})

describe.skipIf(process.platform !== 'linux')('console', () => {
  const commands = blocks('console').flatMap(({ document, code }) =>
    code
      .split(/^\$ /m)
      .slice(1)
      .map((text) => ({
        document,
        command: text.split('\n')[0] as string,
        lines: text.split('\n').slice(1),
      })),
  )

  test.each(commands)('$document: $command', async ({ command, lines }) => {
    const cli = `typed-id() { ${process.execPath} ${PACKAGE}src/cli.ts "$@"; }`
    const line = `${cli}; ${command.replaceAll('npx ', '')}`
    const env = { ...process.env, NO_COLOR: '1', SHELL: '/bin/bash' }
    const { stdout } = await run('script', ['-qec', line, '/dev/null'], {
      env,
    }).catch((error) => error)
    expect(maskVarying(stdout.replaceAll('\r\n', '\n'), command)).toBe(
      maskVarying(lines.join('\n'), command),
    )
  })
})

const RESULT = /(?: |\n *)\/\/ → (.+(?:\n *\/\/ {3}.+)*)$/gm

function printResults(code: string): string {
  const printed = code
    .replace(
      /generate\(\)(\s+\/\/ → 'user-0190163d)/g,
      "fromUuid('0190163d-8694-739b-aea5-966c26f8ad91')$1",
    )
    .replace(RESULT, ' // →')
    .replace(/^(console\.log\(.+\)) \/\/ →$/gm, '$1')
    .replace(
      /^(const (\w+)\b.*(?:\n[ )}\]].*)*?) \/\/ →$/gm,
      '$1\nawait show(async () => $2)',
    )
    .replace(
      /^([^\s)}\]/].*(?:\n[ )}\]].*)*?) \/\/ →$/gm,
      'await show(async () => $1)',
    )
    .replace(/^declare function (\w+)(.+): void$/gm, 'function $1$2: void {}')
  return `import { inspect } from 'node:util'
${printed}
async function show(value: () => Promise<unknown>) {
  try {
    console.log(inspect(await value(), { breakLength: Infinity }))
  } catch (error) {
    console.log(String(error))
  }
}
`
}

function maskVarying(text: string, command: string): string {
  const aged = text
    .replace(/\(.+ ago\)/g, '(… ago)')
    .replace(/^1:[\da-f]{32}$/gm, '1:…')
  return command.includes(' new ')
    ? aged.replace(/[0-9a-hjkmnp-tv-z]{26}$/gm, '…')
    : aged
}

describe('src/core/types.ts', () => {
  const UserId = defineId('user')
  const text = readFileSync(
    new URL('../../src/core/types.ts', import.meta.url),
    'utf8',
  )

  const examples = [...text.matchAll(/@example (.+?) \/\/ (.+)$/gm)].map(
    ([, code, result]) => [code, result] as [string, string],
  )

  test.each(examples)('the example %s returns %s', (code, result) => {
    const found = new Function('UserId', 'id', `return ${code}`)(
      UserId,
      UserId.example,
    )
    if (code.includes('generate()'))
      return expect(found).toMatch(new RegExp(UserId.pattern))
    if (found instanceof Uint8Array)
      return expect(result).toMatch(
        `Uint8Array(16) [${found.subarray(0, 4).join(', ')}, …]`,
      )
    expect(found).toEqual(new Function(`return ${result}`)())
  })
})
