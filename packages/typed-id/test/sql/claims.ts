import { describe, expect, test } from 'vitest'
import { defineId, idRegistry } from '../../src/index.ts'
import { firstIdAt, lastIdAt } from '../../src/range.ts'
import invalid from '../vectors/invalid.json' with { type: 'json' }
import valid from '../vectors/valid.json' with { type: 'json' }

const UserId = defineId('user')
/** The types of all vectors. */
export const ids = idRegistry(
  [...new Set(['user', ...valid.map(({ prefix }) => prefix)])].map((prefix) => defineId(prefix)),
)

/** The vectors that are not an id of any type. Others are an id of a type that is not `user`. */
const malformed = invalid.filter(({ form, text }) => {
  const prefix = /^[a-zA-Z0-9]{1,63}(?=[-_])/.exec(text)?.[0]
  const type = prefix && defineId(prefix)
  return !type || (form === 'short' ? !type.isAny(text) || type.is(text) : !type.is(text))
})

export const randomIds = Array.from({ length: 100_000 }, () =>
  UserId.fromBytes(crypto.getRandomValues(new Uint8Array(16))),
)
export const column = (values: readonly string[]) => values.map((value) => [value] as const)

/** Tests the functions of an engine against the library. */
export function testFunctions(engine: () => Engine): void {
  const map: Engine['map'] = (expression, rows) => engine().map(expression, rows)

  test('convert the vectors of the library in all directions', async () => {
    const standard = valid.map(({ prefix, uuid }) => `${prefix}-${uuid}`)
    const short = valid.map(({ prefix, suffix }) => `${prefix}_${suffix}`)
    expect(await map('typed_id_to_short(a)', column(standard))).toEqual(short)
    expect(await map('typed_id_from_short(a)', column(short))).toEqual(standard)
    expect(await map('typed_id_to_uuid(a)', column(standard))).toEqual(valid.map(({ uuid }) => uuid))
    const uuids = valid.map(({ prefix, uuid }) => [prefix, uuid] as const)
    expect(await map('typed_id_from_uuid(a, b)', uuids)).toEqual(standard)
  })

  test('return the times of the vectors, and null for all versions but 7', async () => {
    const known = valid.filter(({ ms }) => !((ms ?? 0) > engine().maxTime))
    const times = await map(
      engine().toMilliseconds('typed_id_time(a)'),
      known.map(({ prefix, uuid }) => [`${prefix}-${uuid}`]),
    )
    expect(times.map((ms) => (ms === null ? undefined : Number(ms)))).toEqual(known.map(({ ms }) => ms))
  })

  test('convert 100,000 random ids to the short form and back like the library', async () => {
    const shorts = randomIds.map(UserId.toShort)
    expectSame(await map('typed_id_to_short(a)', column(randomIds)), shorts)
    expectSame(await map('typed_id_from_short(a)', column(shorts)), randomIds)
  })

  test('convert 100,000 random ids to uuids and back like the library', async () => {
    const uuids = randomIds.map(UserId.toUuid)
    expectSame(await map('typed_id_to_uuid(a)', column(randomIds)), uuids)
    expectSame(await map("typed_id_from_uuid('user', a)", column(uuids)), randomIds)
  })

  test('return the bounds of 10,000 random milliseconds like the library', async () => {
    const times = Array.from({ length: 10_000 }, () => Math.floor(Math.random() * (engine().maxTime + 1)))
    times.push(0, 1, 999, engine().maxTime)
    const rows = column(times.map((ms) => engine().formatTime(ms)))
    const expected = (bound: typeof firstIdAt) => times.map((ms) => bound(UserId, ms))
    expect(await map("typed_id_first_at('user', a)", rows)).toEqual(expected(firstIdAt))
    expect(await map("typed_id_last_at('user', a)", rows)).toEqual(expected(lastIdAt))
  })

  test('generate 10,000 different version 7 ids with the current time and random bits', async () => {
    const before = Date.now()
    const generated = await map(
      'typed_id_generate(a)',
      Array.from({ length: 10_000 }, () => ['user'] as const),
    )
    const found = generated.map((id) => UserId.parse(id))
    expect(new Set(found).size).toBe(10_000)
    for (const time of [found[0], found.at(-1)].map((id) => UserId.timestamp(id as never)?.getTime())) {
      expect(time).toBeGreaterThanOrEqual(before - 1)
      expect(time).toBeLessThanOrEqual(Date.now() + 1)
    }
    // Each random bit is set in about half of the ids (5,000, standard deviation 50).
    for (let bit = engine().firstRandomBit; bit < 128; bit++) {
      const set = found.filter(
        (id) => ((UserId.toBytes(id)[bit >> 3] as number) >> (7 - (bit & 7))) & 1,
      ).length
      expect(Math.abs(set - 5000), `bit ${bit}`).toBeLessThan(400)
    }
  })

  test('return null for null', async () => {
    for (const name of ['generate', 'to_short', 'from_short', 'to_uuid', 'time'])
      expect(await map(`typed_id_${name}(a)`, [[null]]), name).toEqual([null])
    for (const name of ['from_uuid', 'first_at', 'last_at']) {
      expect(await map(`typed_id_${name}(null, null)`, [[null]]), name).toEqual([null])
      expect(await map(`typed_id_${name}('user', null)`, [[null]]), name).toEqual([null])
    }
    expect(await map(`typed_id_from_uuid(null, '${UserId.toUuid(UserId.example)}')`, [[null]])).toEqual([
      null,
    ])
  })

  describe('reject with an error that contains the value', () => {
    test.each(malformed)('the $form form, $why', async ({ form, text }) => {
      const functions = form === 'short' ? ['from_short'] : ['to_short', 'to_uuid', 'time']
      for (const name of functions) {
        const error = await messageOf(map(`typed_id_${name}(a)`, [[text]]))
        if (/^[ !#-[\]-~]*$/.test(text)) expect(error).toContain(text.slice(0, 40))
      }
    })

    test.each([
      ["typed_id_generate('us-er')", 'us-er'],
      ["typed_id_generate('')", 'expected'],
      ["typed_id_from_uuid('us er', '0190163d-8694-739b-aea5-966c26f8ad91')", 'us er'],
      [
        "typed_id_from_uuid('user', '0190163d-8694-739b-aea5-966c26f8ad9')",
        '0190163d-8694-739b-aea5-966c26f8ad9',
      ],
      ["typed_id_first_at('user', '1969-12-31 12:00:00')", '1969'],
      ["typed_id_last_at('user', '1969-12-31 12:00:00')", '1969'],
      ["typed_id_last_at('', '2024-06-14')", 'expected'],
    ])('%s', async (expression, value) => {
      expect(await messageOf(map(expression, [['']]))).toContain(value)
    })
  })

  test('the column accepts standard ids of its type', async () => {
    for (const id of [UserId.example, ...randomIds.slice(0, 5)]) await engine().insertUser(id)
  })

  test.each([
    ...invalid.filter(({ form }) => form === 'standard'),
    { why: 'the short form', text: 'user_01j0b3v1mmeedtx9cpdgkfhbch' },
  ])('the column rejects: $why', async ({ text }) => {
    await messageOf(engine().insertUser(text))
  })
}

/** Compares arrays, and reports the index of the first difference only, not 100,000 lines. */
export function expectSame(found: readonly unknown[], expected: readonly unknown[]): void {
  expect(found).toHaveLength(expected.length)
  const index = found.findIndex((value, i) => value !== expected[i])
  expect([index, found[index]]).toEqual([-1, undefined])
}

/** Returns the message of the error of a statement, which must fail. */
export function messageOf(statement: Promise<unknown>): Promise<string> {
  return statement.then(
    (result) => expect.fail(`accepted, with the result ${JSON.stringify(result)}`),
    (error) => String(error.message),
  )
}

/** A database with the functions of the SQL file, as the claims use it. */
export interface Engine {
  /**
   * Evaluates an expression for many rows in one statement, and returns the results in the order of the rows. The
   * expression uses the columns a and b of the rows.
   */
  map(
    expression: string,
    rows: readonly (readonly [a: string | null, b?: string])[],
  ): Promise<(string | null)[]>
  /** Returns the text of a time that the functions accept. */
  formatTime(ms: number): string
  /** Returns the expression for the milliseconds of a time. */
  toMilliseconds(time: string): string
  /** The latest time that the engine's type can hold, in milliseconds. */
  readonly maxTime: number
  /** The first of the bits of a generated UUID that are random up to the last, number 127. */
  readonly firstRandomBit: number
  /** Inserts a text into a column that accepts ids of the type `user` only. */
  insertUser(id: string): Promise<unknown>
}

const CHANGES = ['', '0', 'f', 'g', 'A', '-', '_', '%', ' ', '\n', '{', '}', 'é', '--', '0-', '-0', 'user-']

/** Returns strings that differ from an id in one to three places, some of them valid, and ids with a form that the type uuid accepts. */
export function changedIds(count: number): string[] {
  const random = (length: number) => Math.floor(Math.random() * length)
  const changed = Array.from({ length: count }, () => {
    let text: string = UserId.example
    for (let changes = random(3); changes >= 0; changes--) {
      const at = random(text.length + 1)
      text = text.slice(0, at) + CHANGES[random(CHANGES.length)] + text.slice(at + random(3))
    }
    return text
  })
  const bare = UserId.toUuid(UserId.example)
  const forms = [
    bare.toUpperCase(),
    `{${bare}}`,
    bare.replaceAll('-', ''),
    bare.replace(/-/, '').replace(/$/, '-'),
  ]
  return [...changed, ...forms.map((form) => `user-${form}`)]
}
