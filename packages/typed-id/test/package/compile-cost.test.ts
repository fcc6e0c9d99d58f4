import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * What the check of literal prefixes costs the compiler. Instantiations are counted, not seconds: the number does not
 * depend on the machine. 500 prefixes took 874,445 instantiations (2.6 s) when each step of the check matched a union
 * of all letters and digits.
 */

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = `${PACKAGE}test/.compile-cost`
const COUNT = 500

beforeAll(() => mkdirSync(FOLDER, { recursive: true }))
afterAll(() => rmSync(FOLDER, { recursive: true }))

test.each([
  ['short prefixes', (i: number) => `type${i}`, 140_000],
  ['prefixes of 62 letters', (i: number) => String(i).padStart(62, 'a'), 1_000_000],
])(
  '500 id types with %s stay below the budget of instantiations',
  (name, prefix, budget) => {
    const folder = `${FOLDER}/${name.replaceAll(' ', '-')}`
    mkdirSync(folder, { recursive: true })
    const lines = Array.from({ length: COUNT }, (_, i) => `export const T${i} = defineId('${prefix(i)}')`)
    writeFileSync(`${folder}/types.ts`, `import { defineId } from 'typed-id'\n${lines.join('\n')}\n`)
    const config = { extends: '../../../tsconfig.json', include: ['./types.ts'] }
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config))
    const tsc = `${PACKAGE}../../node_modules/.bin/tsc`
    const output = execFileSync(tsc, ['-p', folder, '--extendedDiagnostics'], { encoding: 'utf8' })
    const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(output)?.[1])
    expect(instantiations).toBeLessThan(budget)
  },
  60_000,
)
