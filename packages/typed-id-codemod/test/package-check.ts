/*
 * Runs publint on the tarball that would be published, then installs it into projects with every supported TypeScript, and
 * runs all cases there: `pnpm --filter typed-id-codemod run package-check`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pack } from 'typed-id/internal/release/pack.ts'
import { RULES } from '../src/rules.ts'
import { CASES } from './cases.ts'

/** The TypeScript of each project, and the version that the codemod must use there. Version 7 has no stable JavaScript API. */
const VERSIONS = { '5.5.4': /^5\.5\.4$/, '5.9.3': /^5\.9\.3$/, '6.0.3': /^6\.0\.3$/, '7.0.2': /^6\./ }

const folder = mkdtempSync(join(tmpdir(), 'codemod-pack-'))
const tarball = pack(join(import.meta.dirname, '..'), folder)
let failures = spawnSync('publint', ['run', tarball, '--strict'], { stdio: 'inherit' }).status === 0 ? 0 : 1

for (const [version, expected] of Object.entries(VERSIONS)) {
  const project = join(folder, version)
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  write('package.json', '{ "private": true }\n')
  const install = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `typescript@${version}`,
    tarball,
  ]
  execFileSync('npm', install, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] })
  const { resolve } = createRequire(join(project, 'node_modules/typed-id-codemod/package.json'))
  const used: string = JSON.parse(readFileSync(resolve('typescript/package.json'), 'utf8')).version
  for (const [index, { from, name, before }] of CASES.entries()) write(`${from}/${index}/${name}`, before)
  const runs = Object.keys(RULES).map((from, n) => {
    // Once as users do. npx takes as long as the command.
    const [command = '', ...args] =
      n > 0 ? ['node_modules/.bin/typed-id-codemod'] : ['npx', '--no-install', 'typed-id-codemod']
    return spawnSync(command, [...args, from, from], { cwd: project, encoding: 'utf8' })
  })
  const wrong = CASES.filter(
    ({ from, name, after }, index) =>
      readFileSync(join(project, from, String(index), name), 'utf8') !== after,
  )
  const passed = expected.test(used) && runs.every(({ status }) => status === 0) && wrong.length === 0
  console.log(
    `${passed ? 'passed' : 'FAILED'}  a project with TypeScript ${version}: ${CASES.length} cases, parsed by ${used}`,
  )
  for (const { status, stderr } of runs) if (status !== 0) process.stderr.write(stderr)
  for (const { from, title } of wrong) console.log(`        ${from}: ${title}`)
  failures += passed ? 0 : 1
}
rmSync(folder, { recursive: true })
process.exitCode = failures ? 1 : 0
