import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/*
 * Runs what the README shows. In TypeScript, `expression // → value` states the value as util.inspect writes it; in a
 * console, the lines below `$ command` are what a terminal shows.
 */

const run = promisify(execFile)
const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = `${PACKAGE}test/.readme`
const README = readFileSync(`${PACKAGE}README.md`, 'utf8')

const blocks = (language: string) =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code)

/** What a snippet that defines no types of its own goes on from. */
const PRELUDE = `import { defineId, type IdOf } from 'typed-id'
const UserId = defineId('user')
const TeamId = defineId('team')
`

const sources = blocks('ts').map((code) => (code.includes('const UserId') ? code : PRELUDE + code))

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true })
  const tsconfig = {
    extends: '../../tsconfig.json',
    include: ['./*.ts'],
    compilerOptions: { noUnusedLocals: false },
  }
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(tsconfig))
  sources.forEach((code, i) => {
    writeFileSync(`${FOLDER}/snippet-${i}.ts`, `${code}\nexport {}\n`)
  })
})
afterAll(() => rmSync(FOLDER, { recursive: true }))

describe('README, TypeScript', () => {
  test('every snippet compiles', async () => {
    const { stdout } = await run(`${PACKAGE}../../node_modules/.bin/tsc`, ['-p', FOLDER]).catch(
      (error) => error,
    )
    expect(stdout).toBe('')
  }, 60_000)

  test.each(sources.map((code, i) => [i, code]))('snippet %i prints what it says', async (i, code) => {
    const stated = [...String(code).matchAll(/ \/\/ → (.+)$/gm)].map(([, value]) => value)
    const file = `${FOLDER}/run-${i}.ts`
    writeFileSync(file, instrumented(String(code)))
    const { stdout } = await run(process.execPath, [file])
    expect(stdout === '' ? [] : stdout.trimEnd().split('\n')).toEqual(stated)
  })
})

describe('README, console', () => {
  const commands = blocks('console').flatMap((block) => block.split(/^\$ /m).slice(1))

  test.each(commands.map((text) => text.split('\n')))('%s', async (command, ...lines) => {
    const cli = `typed-id() { ${process.execPath} ${PACKAGE}src/cli.ts "$@"; }`
    const line = `${cli}; ${command.replaceAll('npx ', '')}`
    const env = { ...process.env, NO_COLOR: '1', SHELL: '/bin/bash' }
    const { stdout } = await run('script', ['-qec', line, '/dev/null'], { env }).catch((error) => error)
    expect(steady(shown(stdout), command)).toBe(steady(lines.join('\n'), command))
  })
})

/** The snippet, with each stated expression printed. The id that is made is the one that the README shows. */
function instrumented(code: string): string {
  const printed = code
    .replace(/generate\(\)( \/\/ → 'user-0190163d)/g, "fromUuid('0190163d-8694-739b-aea5-966c26f8ad91')$1")
    .replace(/^(const (\w+)\b.+?) \/\/ → .+$/gm, '$1\nawait show(async () => $2)')
    .replace(/^(.+?) \/\/ → .+$/gm, 'await show(async () => $1)')
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

/** What a terminal leaves on the screen: a progress line is wiped away by what follows it. */
function shown(output: string): string {
  const lines = output.replaceAll('\r\n', '\n').split('\n')
  return lines.map((line) => line.split('\r\x1b[K').at(-1)).join('\n')
}

/** What differs each time made the same: the ages, and the ids that `new` makes. */
function steady(text: string, command: string): string {
  const aged = text.replace(/\(.+ ago\)/g, '(… ago)')
  return command.includes(' new ') ? aged.replace(/[0-9a-hjkmnp-tv-z]{26}$/gm, '…') : aged
}
