/*
 * Runs the commands of README.md and CONTRIBUTING.md in a fresh clone, on the
 * machine's own Node, in the order of the pages. Leaves out the commands that
 * .ci/run runs itself. `node .ci/commands.mjs nightly` runs the slow commands
 * instead.
 */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const read = (file) => readFileSync(join(root, file), 'utf8')
const isNightly = process.argv[2] === 'nightly'

/** Commands that take minutes. The nightly run includes them. */
const LONG = /surroundings|test:databases|compat|bench|docs:test$/
/** Commands that run until they are stopped. */
const SERVES = /\b(start|dev)$/

/** What updates raise: they must change an older version in this file. */
const UPDATES = {
  esbuild: ['tools/testkit/package.json', '"esbuild": "0.25.0"'],
  zod: ['integrations/package.json', '"zod": "^4.0.0"'],
}

const run = read('.ci/run')
const isStep = (command) =>
  new RegExp(`${command.replace(/[$*.?]/g, '\\$&')}(?=[;\\s]|$)`, 'm').test(run)

const lines = ['README.md', 'CONTRIBUTING.md'].flatMap((file) =>
  [...read(file).matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, code]) =>
    code.trim().split('\n'),
  ),
)
const commands = lines
  .filter((line) => !line.includes('# not published yet'))
  .map((line) => line.replace(/ +#.*/, ''))
const mine = commands.filter(
  (command) => !isStep(command) && LONG.test(command) === isNightly,
)

const clone = mkdtempSync(join(tmpdir(), 'commands-'))
chmodSync(clone, 0o755) // root runs PostgreSQL as another account
execFileSync('git', ['clone', '-q', root, clone])
/** The environment without the programs of this workspace in PATH. */
const env = {
  ...process.env,
  PORT: '0',
  PATH: process.env.PATH.split(':')
    .filter((path) => !path.startsWith(root))
    .join(':'),
}
let failed = 0
for (const command of mine) {
  const started = Date.now()
  const [, updated] = / update --latest (\S+)/.exec(command) ?? []
  if (updated) lower(updated)
  const { code, output } = await execute(command)
  const changed = execFileSync('git', ['status', '--porcelain'], {
    cwd: clone,
    encoding: 'utf8',
  }).replace(/^\?\? .*\.tgz\n/gm, '')
  const isOk =
    code === 0 &&
    (updated ? isRaised(updated) : changed === '' || command === 'pnpm facts')
  if (updated) execFileSync('git', ['checkout', '-q', '.'], { cwd: clone })
  console.log(
    `${isOk ? 'ok' : 'FAILED'} (${Math.round((Date.now() - started) / 1000)} s): ${command}`,
  )
  if (!isOk) console.log(`${output.slice(-3000)}\n${changed}`)
  failed += isOk ? 0 : 1
}
if (!isNightly)
  for (const [, file] of read('README.md').matchAll(/<clone>\/([\w./-]+)/g)) {
    const exists = existsSync(join(clone, file))
    console.log(`${exists ? 'ok' : 'FAILED'}: <clone>/${file} exists`)
    failed += exists ? 0 : 1
  }
rmSync(clone, { recursive: true, force: true })
console.log(`${mine.length} of ${commands.length} commands run here`)
process.exitCode = failed > 0 ? 1 : 0

function lower(name) {
  const [file, old] = UPDATES[name]
  const manifest = readFileSync(join(clone, file), 'utf8')
  const version = new RegExp(`"${name}": "[^"]+"`)
  writeFileSync(join(clone, file), manifest.replace(version, old))
}

function isRaised(name) {
  const [file, old] = UPDATES[name]
  return !readFileSync(join(clone, file), 'utf8').includes(old)
}

function execute(command) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], {
      cwd: clone,
      env,
      detached: true, // a process group, to stop what the command has started
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let isListening = false
    const onData = (data) => {
      output += data
      if (isListening || !SERVES.test(command)) return
      isListening = /"listening"/.test(output)
      if (isListening) process.kill(-child.pid, 'SIGTERM')
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    child.on('close', (code) =>
      resolve({ code: isListening ? 0 : code, output }),
    )
  })
}
