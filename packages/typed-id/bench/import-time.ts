/*
 * Compares the time that a new Node process takes to import the built package with two others: typeid-js and an empty
 * module. Fails if typed-id needs more than a quarter of the time of typeid-js (it needs about a tenth). Both are measured
 * in the same run, so the result does not depend on the speed of the machine.
 */
import { execFileSync } from 'node:child_process'
import { median } from './harness.ts'

const ROUNDS = 21
const MAX_SHARE = 1 / 4 // of the time of typeid-js
const MODULES = {
  'typed-id': new URL('../dist/index.js', import.meta.url).href,
  'typeid-js': import.meta.resolve('typeid-js'),
  'an empty module': 'data:text/javascript,',
}

function measureImport(url: string): number {
  const code = `const start = performance.now(); await import('${url}'); console.log(performance.now() - start)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '--eval', code]))
}

const times = new Map(Object.keys(MODULES).map((name) => [name, [] as number[]]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, url] of Object.entries(MODULES)) times.get(name)?.push(measureImport(url))
}
const [ours, theirs, empty] = [...times.values()].map(median) as [number, number, number]
const isWithinLimit = ours <= theirs * MAX_SHARE
console.log(
  `import of typed-id: ${ours.toFixed(2)} ms (typeid-js: ${theirs.toFixed(2)} ms, an empty module: ${empty.toFixed(2)} ms), ${isWithinLimit ? 'ok' : 'MORE than a quarter of typeid-js'}`,
)
process.exitCode = isWithinLimit ? 0 : 1
