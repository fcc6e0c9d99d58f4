import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defineId } from '../../src/index.ts'
import { defineTypeId } from '../../src/typeid.ts'

describe.each([
  ['src/core/types.ts', defineId('user')],
  ['src/typeid/types.ts', defineTypeId('user')],
])('%s', (path, UserId) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

  /** The examples on one line with a result: `@example expression // result`. */
  const examples = [...text.matchAll(/@example (.+?) \/\/ (.+)$/gm)].map(
    ([, code, result]) => [code, result] as [string, string],
  )

  test.each(examples)('the example %s returns %s', (code, result) => {
    const found = new Function('UserId', 'id', `return ${code}`)(UserId, UserId.example)
    if (code.includes('generate()')) return expect(found).toMatch(new RegExp(UserId.pattern))
    if (found instanceof Uint8Array)
      return expect(result).toMatch(`Uint8Array(16) [${found.subarray(0, 4).join(', ')}, …]`)
    expect(found).toEqual(new Function(`return ${result}`)())
  })
})
