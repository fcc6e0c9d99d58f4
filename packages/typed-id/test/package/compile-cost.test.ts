import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

/*
 * What the check of literal prefixes costs the compiler. Instantiations are counted, not seconds: the number does not
 * depend on the machine. 500 prefixes took 874,445 instantiations (2.6 s) when each step of the check matched a union
 * of all letters and digits.
 */

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = `${PACKAGE}test/.compile-cost`
const TSC = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const COUNT = 500

beforeAll(() => mkdirSync(FOLDER, { recursive: true }))
afterAll(() => rmSync(FOLDER, { recursive: true }))

/** Three letters for a number, because TypeIDs have no digits. */
const letters = (i: number) => [i / 676, i / 26, i].map((n) => String.fromCharCode(97 + (n % 26))).join('')

test.each([
  ['short prefixes', 'defineId', '', (i: number) => `type${i}`, 140_000],
  ['prefixes of 62 letters', 'defineId', '', (i: number) => String(i).padStart(62, 'a'), 1_000_000],
  ['short prefixes', 'defineTypeId', '/typeid', (i: number) => `type_${letters(i)}`, 140_000],
  [
    'prefixes of 62 letters',
    'defineTypeId',
    '/typeid',
    (i: number) => letters(i).padStart(62, 'a_'),
    1_000_000,
  ],
])(
  '500 id types with %s of %s stay below the budget of instantiations',
  (name, define, subpath, prefix, budget) => {
    const folder = `${FOLDER}/${define}-${name.replaceAll(' ', '-')}`
    mkdirSync(folder, { recursive: true })
    const lines = Array.from({ length: COUNT }, (_, i) => `export const T${i} = ${define}('${prefix(i)}')`)
    writeFileSync(
      `${folder}/types.ts`,
      `import { ${define} } from 'typed-id${subpath}'\n${lines.join('\n')}\n`,
    )
    const config = { extends: '../../../tsconfig.json', include: ['./types.ts'] }
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config))
    const output = execFileSync(process.execPath, [TSC, '-p', folder, '--extendedDiagnostics'], {
      encoding: 'utf8',
    })
    const instantiations = Number(/^Instantiations:\s+(\d+)/m.exec(output)?.[1])
    expect(instantiations).toBeLessThan(budget)
  },
)
