import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idFromName } from '../src/functions/name.ts'
import { defineId, uuidv4 } from '../src/index.ts'
import vectors from './vectors/names.json' with { type: 'json' }

const UserId = defineId('user')

describe('idFromName', () => {
  test.each(vectors)(
    'returns the same id as Python for $type $name',
    async ({ type, name, namespace, uuid }) => {
      expect(await idFromName(defineId(type), name, namespace)).toBe(`${type}-${uuid}`)
    },
  )

  test('returns the same version 5 id each time, without a timestamp', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (name) => {
        const id = await idFromName(UserId, name)
        expect(await idFromName(defineId('user', { uuid: uuidv4 }), name)).toBe(id)
        expect(id).toMatch(/^user-.{8}-.{4}-5.{3}-[89ab]/)
        expect(UserId.timestamp(id)).toBeUndefined()
      }),
    )
  })

  test.each([
    ['a lone surrogate', '\ud83c', undefined, 'not_a_string'],
    ['a name that is not a string', 1, undefined, 'not_a_string'],
    ['a namespace that is not a uuid', 'ada', 'dns', 'invalid_uuid'],
    ['an uppercase namespace', 'ada', '6BA7B811-9DAD-11D1-80B4-00C04FD430C8', 'invalid_uuid'],
    ['a null namespace', 'ada', null, 'not_a_string'],
  ])('%s is rejected', async (_, name, namespace, code) => {
    await expect(idFromName(UserId, name as string, namespace as string)).rejects.toMatchObject({ code })
  })

  test('the message for a name that is not a string shows the name', async () => {
    await expect(idFromName(UserId, 1 as never)).rejects.toThrow(
      'not a string: expected a well-formed string, received 1',
    )
  })
})
