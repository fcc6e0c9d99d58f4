import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defineId } from '../../src/index.ts'

describe('src/core/types.ts', () => {
  const UserId = defineId('user')
  const text = readFileSync(new URL('../../src/core/types.ts', import.meta.url), 'utf8')

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
