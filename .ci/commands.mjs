/*
 * Runs, in a new clone, the commands of README.md and CONTRIBUTING.md that
 * .ci/run does not contain.
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
import { each, env, read, root } from './each.mjs'

const isNightly = process.argv[2] === 'nightly'

/**
 * Commands that only the nightly run executes, because they take minutes or
 * repeat tests of .ci/run.
 */
const LONG =
  /test:databases|compat|bench|test:quick|test:integrations|pnpm facts/

const SERVES = /\b(start|dev)$/

const OLD_VERSIONS = {
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
if (!isNightly)
  mine.push(
    // `pnpm test` in .ci/run already runs these two projects.
    "pnpm test:quick --project '!typed-id' --project '!unit'",
    "! pnpm test:quick users -t 'no title'",
  )

const clone = mkdtempSync(join(tmpdir(), 'commands-'))
chmodSync(clone, 0o755) // as root, tests run PostgreSQL as `nobody`
execFileSync('git', ['clone', '-q', root, clone])
await each(mine, async (command) => {
  const [, updated] = / update --latest (\S+)/.exec(command) ?? []
  if (updated) lower(updated)
  await execute(command)
  const changed = execFileSync('git', ['status', '--porcelain'], {
    cwd: clone,
    encoding: 'utf8',
  }).replace(/^\?\? .*\.tgz\n/gm, '')
  if (updated) {
    const isDone = isRaised(updated)
    execFileSync('git', ['checkout', '-q', '.'], { cwd: clone })
    if (!isDone) throw new Error(`the version of ${updated} is the old one`)
  } else if (changed && command !== 'pnpm facts') throw new Error(changed)
})
const packed = read('README.md').matchAll(/<clone>\/([\w./-]+)/g)
if (!isNightly)
  await each(
    [...packed].map(([, file]) => file),
    (file) => {
      if (!existsSync(join(clone, file))) throw new Error('it was not packed')
    },
  )
rmSync(clone, { recursive: true })

function lower(name) {
  const [file, old] = OLD_VERSIONS[name]
  const manifest = readFileSync(join(clone, file), 'utf8')
  const version = new RegExp(`"${name}": "[^"]+"`)
  writeFileSync(join(clone, file), manifest.replace(version, old))
}

function isRaised(name) {
  const [file, old] = OLD_VERSIONS[name]
  return !readFileSync(join(clone, file), 'utf8').includes(old)
}

function execute(command) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', command], {
      cwd: clone,
      env: { ...env, PORT: '0' },
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
      code === 0 || isListening ? resolve() : reject(new Error(output)),
    )
  })
}
