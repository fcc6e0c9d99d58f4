/* Milliseconds that importing the built package takes a fresh Node: the median of 21 processes. Budget: 1.5 ms. */
import { execFileSync } from 'node:child_process'

const BUDGET_MS = 1.5
const url = new URL('../dist/index.js', import.meta.url).href
const code = `const start = performance.now(); await import('${url}'); console.log(performance.now() - start)`
const empty = `const start = performance.now(); await import('data:text/javascript,'); console.log(performance.now() - start)`

function median(source: string): number {
  const run = () => Number(execFileSync(process.execPath, ['--input-type=module', '--eval', source]))
  return Array.from({ length: 21 }, run).sort((a, b) => a - b)[10] as number
}

const ms = median(code)
const verdict = ms <= BUDGET_MS ? 'met' : 'NOT MET'
console.log(
  `import of typed-id: ${ms.toFixed(2)} ms of ${BUDGET_MS} ms (an empty module: ${median(empty).toFixed(2)} ms), ${verdict}`,
)
process.exitCode = ms <= BUDGET_MS ? 0 : 1
