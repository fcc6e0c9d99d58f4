/*
 * Tests dist/ and the command `typed-id`. This file is JavaScript, because
 * Node.js 20 does not run TypeScript.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { conformance } from './conformance.mjs'

const require = createRequire(import.meta.url)
const url = (file) => new URL(`../${file}`, import.meta.url)
const readJson = (file) => JSON.parse(readFileSync(url(file), 'utf8'))

const { exports } = readJson('package.json')
const names = Object.values(exports).flatMap(
  (file) => file.match(/^\.\/src\/(.+)\.ts$/)?.[1] ?? [],
)
const vectors = {
  ...readJson('dist/vectors.json'),
  typeid: readJson('test/vectors/typeid.json'),
}
const entries = await Promise.all(
  names.map(async (name) => [name, await import(url(`dist/${name}.js`))]),
)
const required = names.map((name) => [
  name,
  require(fileURLToPath(url(`dist/${name}.cjs`))),
])
const failed = []
let passed = 0
for (const library of [entries, required]) {
  const result = await conformance(Object.fromEntries(library), vectors)
  failed.push(...result.failed)
  passed += result.passed
}

const cli = fileURLToPath(url('dist/cli.js'))
const ids = execFileSync(process.execPath, [cli, 'new', 'user', '-n', '1000'], {
  encoding: 'utf8',
})
const check = (input) =>
  spawnSync(process.execPath, [cli, 'check', '--type', 'user'], { input })
    .status
for (const [input, status] of [
  [ids, 0],
  [ids.replaceAll('\n', '\r\n'), 0],
  ['user-1\n', 1],
]) {
  if (check(input) === status) passed++
  else
    failed.push(
      `typed-id check of ${JSON.stringify(input.slice(0, 50))}: expected the exit code ${status}`,
    )
}
for (const message of failed) console.log(message)
console.log(
  `Node ${process.version} on ${process.platform}: ${passed} passed, ${failed.length} failed`,
)
process.exitCode = failed.length ? 1 : 0
