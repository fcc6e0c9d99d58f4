import { defineId, fromUlid, ulidTime } from 'typed-id'

/**
 * An id in the format of another library, with the values that it contains, by
 * name.
 */
export interface Foreign {
  readonly kind: string
  /**
   * Whether the structure of the id proves its kind. Otherwise, a random string
   * may have the same form.
   */
  readonly isCertain: boolean
  readonly time?: number
  readonly facts: Readonly<Record<string, string>>
}

/** Converts UUIDs, which have no type. */
const AnyId = defineId('id')

/**
 * Returns the kinds of ids of other libraries that a string may be, the most
 * likely first.
 */
export function findForeign(text: string, now = Date.now()): Foreign[] {
  return [
    readUlid(text),
    readObjectId(text),
    readKsuid(text, now),
    readStripe(text),
    readNanoid(text),
  ]
    .filter((found) => found !== undefined)
    .sort((a, b) => Number(b.isCertain) - Number(a.isCertain))
}

/**
 * Reads 48 bits of milliseconds and 80 random bits, in 26 characters
 * (github.com/ulid/spec).
 */
function readUlid(text: string): Foreign | undefined {
  // A lower case ULID is more likely the suffix of a TypeID.
  if (!/^[0-7][\dA-HJKMNP-TV-Z]{25}$/.test(text)) return undefined
  const id = fromUlid(AnyId, text)
  return {
    kind: 'ULID',
    isCertain: true,
    time: ulidTime(AnyId, id).getTime(),
    facts: { Random: id.replaceAll('-', '').slice(-20) },
  }
}

/** Reads 4 bytes of seconds, 5 of the process, 3 of a counter (MongoDB). */
function readObjectId(text: string): Foreign | undefined {
  const [, bare = ''] = /^(?:ObjectId\(["']?)?([\da-f]{24})$/i.exec(text) ?? []
  if (!bare) return undefined
  const time = Number.parseInt(bare.slice(0, 8), 16) * 1000
  const facts = {
    Process: bare.slice(8, 18),
    Counter: String(Number.parseInt(bare.slice(18), 16)),
  }
  return { kind: 'ObjectId (MongoDB)', isCertain: true, time, facts }
}

/**
 * Reads 4 bytes of seconds since 14e8, and 16 random bytes, in 27 base 62
 * digits (github.com/segmentio/ksuid).
 */
function readKsuid(text: string, now: number): Foreign | undefined {
  if (!/^[\da-zA-Z]{27}$/.test(text)) return undefined
  const bits = decodeBase62(text)
  if (bits >> 160n) return undefined
  const time = (Number(bits >> 128n) + 1_400_000_000) * 1000
  const facts = {
    Random: (bits & ((1n << 128n) - 1n)).toString(16).padStart(32, '0'),
  }
  // A random value rarely contains a time between 2014 and a year from now.
  return { kind: 'KSUID', isCertain: time < now + 31_536_000_000, time, facts }
}

/**
 * Reads a prefix of one or two words, `_`, and random letters and digits:
 * `cus_…`, `sk_test_…`.
 */
function readStripe(text: string): Foreign | undefined {
  const [, prefix = '', random = ''] =
    /^([a-z]{2,10}(?:_(?:test|live))?)_([\da-zA-Z]{14,19}|[\da-zA-Z]{23,})$/.exec(
      text,
    ) ?? []
  if (!/[A-Z]/.test(random) || !/[a-z]/.test(random) || !/\d/.test(random))
    return undefined
  return {
    kind: 'Id in the style of Stripe',
    isCertain: false,
    facts: { Type: prefix, Random: random },
  }
}

/** Reads a nanoid: 21 random characters without any structure. */
function readNanoid(text: string): Foreign | undefined {
  if (!/^[\w-]{21}$/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text))
    return undefined
  return {
    kind: 'nanoid',
    isCertain: false,
    facts: { Contains: 'random characters, no type and no time' },
  }
}

function decodeBase62(text: string): bigint {
  let bits = 0n
  for (const digit of text) {
    const value = Number.parseInt(digit, 36) + (digit >= 'a' ? 26 : 0)
    bits = bits * 62n + BigInt(value)
  }
  return bits
}
