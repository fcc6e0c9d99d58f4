import { describe, expect, test } from 'vitest'
import { VECTORS } from '../build-vectors.ts'
import { fromBase62 } from '../src/forms/base62.ts'
import { idFromName } from '../src/generate/name.ts'
import { defineId, type TypedId } from '../src/index.ts'
import { opaqueIds } from '../src/opaque.ts'
import { eitherFormSchema, idSchema } from '../src/zod.ts'
import { codeOf } from './code-of.ts'
import * as reference from './reference.ts'
import invalid from './vectors/invalid.json' with { type: 'json' }
import valid from './vectors/valid.json' with { type: 'json' }

describe.each(valid)('valid: $why, $prefix', (vector) => {
  const Id = defineId(vector.prefix)
  const standard = `${vector.prefix}-${vector.uuid}` as TypedId<string>
  const short = `${vector.prefix}_${vector.suffix}`
  const number = reference.numberOfUuid(vector.uuid)

  test('the vector matches the reference implementation', () => {
    expect(reference.suffixOfNumber(number)).toBe(vector.suffix)
    expect(reference.numberOfSuffix(vector.suffix)).toBe(number)
  })

  test('the standard form is accepted and converted', () => {
    expect(Id.is(standard)).toBe(true)
    expect(Id.parse(standard)).toBe(standard)
    expect(Id.parseEitherForm(standard)).toBe(standard)
    expect(Id.safeParse(standard)).toEqual({ success: true, data: standard })
    expect(Id.toShort(standard)).toBe(short)
    expect(Id.toUuid(standard)).toBe(vector.uuid)
    expect(Id.toBytes(standard)).toEqual(reference.bytesOfNumber(number))
  })

  test('the short form, the bytes and the uuid give the standard form', () => {
    expect(Id.fromShort(short)).toBe(standard)
    expect(Id.parseEitherForm(short)).toBe(standard)
    expect(Id.fromBytes(reference.bytesOfNumber(number))).toBe(standard)
    expect(Id.fromUuid(vector.uuid)).toBe(standard)
  })

  test('timestamp returns the time of a version 7 uuid only', () => {
    expect(Id.timestamp(standard)?.getTime()).toBe(vector.ms)
  })

  test('the patterns and the schemas accept it', () => {
    expect(standard).toMatch(new RegExp(Id.pattern))
    expect(short).toMatch(new RegExp(Id.shortPattern))
    expect(idSchema(Id).parse(standard)).toBe(standard)
    expect(eitherFormSchema(Id).parse(short)).toBe(standard)
  })
})

// fuzz.test.ts passes these texts to every function.
test.each(invalid)(
  'invalid $form form: $why, is rejected with $code',
  ({ form, text, code }) => {
    const UserId = defineId('user')
    expect(
      codeOf(() => (form === 'short' ? UserId.fromShort : UserId.parse)(text)),
    ).toBe(code)
  },
)

test('the published vectors.json contains what the library returns', async () => {
  for (const { prefix, standard, short, uuid, bytes, ms } of VECTORS.valid) {
    const Id = defineId(prefix)
    const id = Id.fromShort(short)
    const hex = Buffer.from(Id.toBytes(id)).toString('hex')
    const time = Id.timestamp(id)?.getTime() ?? null
    expect([id, Id.toUuid(id), hex, time]).toEqual([standard, uuid, bytes, ms])
  }
  for (const { prefix, form, text, code } of VECTORS.invalid) {
    const Id = defineId(prefix)
    expect(
      codeOf(() => (form === 'short' ? Id.fromShort(text) : Id.parse(text))),
    ).toBe(code)
  }
  for (const { prefix, standard, base62 } of VECTORS.base62)
    expect(fromBase62(defineId(prefix), base62)).toBe(standard)
  for (const { prefix, name, namespace, standard } of VECTORS.names)
    expect(
      await idFromName(defineId(prefix), name, namespace ?? undefined),
    ).toBe(standard)
  for (const { prefix, key, standard, opaque } of VECTORS.opaque)
    expect(
      opaqueIds(defineId(prefix), { keys: [key] }).fromOpaque(opaque),
    ).toBe(standard)
})

test.each(['pre_fix', ''])(
  'rejects the prefix %j, which TypeID 0.3 allows',
  (prefix) => {
    expect(codeOf(() => defineId(prefix as string))).toBe('invalid_prefix')
  },
)
