import { BASE32_DIGITS } from 'typed-id/internal/src/core/digits.ts'
import type { Fact } from './facts.ts'
import { hyphenate } from './value.ts'

/** An id of another library, with the facts that it contains. */
export interface Foreign {
  readonly kind: string
  /** `is` if the structure of the id confirms the kind, `may be` if other values have the same form. */
  readonly likelihood: 'is' | 'may be'
  readonly facts: readonly Fact[]
}

const CROCKFORD = BASE32_DIGITS.toUpperCase()
const XID_DIGITS = '0123456789abcdefghijklmnopqrstuv'
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Services whose 64-bit ids start with a time: their epoch in milliseconds, and the number of bits after the time. */
const SNOWFLAKES: readonly (readonly [name: string, epoch: number, bits: bigint])[] = [
  ['X (Twitter)', 1_288_834_974_657, 22n],
  ['Discord', 1_420_070_400_000, 22n],
  ['Instagram', 1_314_220_021_721, 23n],
]

/** Returns the kinds of ids of other libraries that the input may be, the most likely kind first. */
export function findForeign(input: string, now = Date.now()): Foreign[] {
  const text = input.trim()
  const found = [
    ...readUlid(text),
    ...readObjectId(text),
    ...readKsuid(text, now),
    ...readXid(text, now),
    ...readTsid(text, now),
    ...readSnowflakes(text, now),
    ...readStripe(text),
    ...readRandom(text),
    ...readDotNet(text),
  ]
  return found.sort((a, b) => Number(b.likelihood === 'is') - Number(a.likelihood === 'is'))
}

/** Reads 48 bits of milliseconds and 80 random bits, in 26 characters (github.com/ulid/spec). */
function readUlid(text: string): Foreign[] {
  if (!/^[0-7][\dA-HJKMNP-TV-Z]{25}$/i.test(text)) return []
  const bits = decode(text.toUpperCase(), CROCKFORD)
  const random = hex(bits & ((1n << 80n) - 1n), 20)
  const uuid = hex(bits, 32)
  // In lower case, a value with the version and the variant of a UUID is more likely a TypeID.
  const isUuid = /^[1-8].{3}[89ab]/.test(uuid.slice(12))
  const likelihood = text === text.toUpperCase() || !isUuid ? 'is' : 'may be'
  const facts = { ...createdAt(Number(bits >> 80n)), Random: random, UUID: hyphenate(uuid) }
  return describe('ULID', likelihood, facts)
}

/** Reads 4 bytes of seconds, 5 of the process, 3 of a counter (MongoDB). */
function readObjectId(text: string): Foreign[] {
  const [, bare = ''] = /^(?:ObjectId\()?["']?([\da-f]{24})["']?\)?$/i.exec(text) ?? []
  if (!bare) return []
  const facts = { ...createdAt(int(bare, 0, 8) * 1000), Process: bare.slice(8, 18), Counter: int(bare, 18) }
  return describe('ObjectId (MongoDB)', 'is', facts)
}

/** Reads 4 bytes of seconds since 14e8, and 16 random bytes, in 27 digits (github.com/segmentio/ksuid). */
function readKsuid(text: string, now: number): Foreign[] {
  if (!/^[\da-zA-Z]{27}$/.test(text)) return []
  const bits = decode(text, BASE62)
  if (bits >> 160n) return []
  const time = (Number(bits >> 128n) + 1_400_000_000) * 1000
  const random = hex(bits & ((1n << 128n) - 1n), 32)
  return describe('KSUID', likely(time, now), { ...createdAt(time), Random: random })
}

/** Reads 4 bytes of seconds, 3 of the machine, 2 of the process, 3 of a counter, in 20 digits (github.com/rs/xid). */
function readXid(text: string, now: number): Foreign[] {
  if (!/^[\da-v]{19}[0g]$/.test(text)) return []
  const bytes = hex(decode(text, XID_DIGITS) >> 4n, 24)
  const time = int(bytes, 0, 8) * 1000
  const rest = { Machine: bytes.slice(8, 14), Process: int(bytes, 14, 18), Counter: int(bytes, 18) }
  return describe('XID', likely(time, now), { ...createdAt(time), ...rest })
}

/** 42 bits of milliseconds since 2020 and 22 of node and counter, in 13 characters (github.com/f4b6a3/tsid-creator). */
function readTsid(text: string, now: number): Foreign[] {
  if (!/^[0-9A-F][\dA-HJKMNP-TV-Z]{12}$/i.test(text) || !/\d/.test(text)) return []
  const bits = decode(text.toUpperCase(), CROCKFORD)
  const time = Number(bits >> 22n) + Date.UTC(2020, 0, 1)
  const likelihood = /^\d+$/.test(text) ? 'may be' : likely(time, now)
  return describe('TSID', likelihood, { ...createdAt(time), Number: bits })
}

/** Returns one result per service for which the time is possible: a 64-bit number does not reveal the service. */
function readSnowflakes(text: string, now: number): Foreign[] {
  if (!/^\d{15,19}$/.test(text) || BigInt(text) >> 63n) return []
  return SNOWFLAKES.flatMap(([name, epoch, bits]): Foreign[] => {
    const time = Number(BigInt(text) >> bits) + epoch
    if (likely(time, now) !== 'is') return []
    const rest = { 'Worker and sequence': BigInt(text) & ((1n << bits) - 1n) }
    return describe(`Snowflake of ${name}`, 'may be', { ...createdAt(time), ...rest })
  })
}

/** Reads a prefix of one or two words, `_`, and random letters and digits: `cus_…`, `sk_test_…`. */
function readStripe(text: string): Foreign[] {
  const [, prefix = '', random = ''] = /^([a-z]{2,10}(?:_(?:test|live))?)_([\da-zA-Z]{14,})$/.exec(text) ?? []
  if (!/[A-Z]/.test(random) || !/\d/.test(random)) return []
  return describe('Id in the style of Stripe', 'may be', { Type: prefix, Random: random })
}

/** Reads ids without a structure, by length and alphabet only. */
function readRandom(text: string): Foreign[] {
  const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text)
  const isNanoid = /^[\w-]{21}$/.test(text) && isMixed
  if (!isNanoid && !/^(?=.*\d)[a-z][\da-z]{23}$/.test(text)) return []
  const facts = { Contains: 'random characters, no type and no time' }
  return describe(isNanoid ? 'nanoid' : 'cuid2', 'may be', facts)
}

/** Reads a UUID whose first three groups .NET has reversed. Version 2, which is not in use, is a sign of that. */
function readDotNet(text: string): Foreign[] {
  const [, a = '', b = '', c = '', d = '', end = ''] =
    /^(.{8})-?(.{4})-?(.{4})-?([89ab].{3})-?(.{12})$/i.exec(
      /^[\da-f-]{32,36}$/i.test(text) ? text.toLowerCase() : '',
    ) ?? []
  const reverse = (digits: string) => (digits.match(/../g) ?? []).reverse().join('')
  const swapped = reverse(c)
  if (/^[13-8]/.test(c) || !/^[13-8]/.test(swapped)) return []
  const uuid = [reverse(a), reverse(b), swapped, d, end].join('-')
  const time = swapped.startsWith('7') ? createdAt(int(uuid.replace('-', ''), 0, 12)) : {}
  const kind = `UUID of version ${swapped.charAt(0)} in the byte order of .NET`
  return describe(kind, 'may be', { UUID: uuid, ...time })
}

/** Returns `is` for a time between 2005 and a year from now, because a random value rarely contains such a time. */
function likely(time: number, now: number): Foreign['likelihood'] {
  return time > Date.UTC(2005, 0, 1) && time < now + 31_536_000_000 ? 'is' : 'may be'
}

/** Returns an array with one result. `facts` are the values that the id contains, by name. */
function describe(
  kind: string,
  likelihood: Foreign['likelihood'],
  facts: Readonly<Record<string, string | number | bigint>>,
): Foreign[] {
  const named = Object.entries(facts).map(([name, value]) => ({ name, value: String(value) }))
  return [{ kind, likelihood, facts: named }]
}

const createdAt = (time: number) => ({ Created: new Date(time).toISOString() })

/** Parses hexadecimal digits as an integer. */
const int = (digits: string, from: number, to?: number) => Number.parseInt(digits.slice(from, to), 16)

const hex = (bits: bigint, length: number) => bits.toString(16).padStart(length, '0')

function decode(text: string, digits: string): bigint {
  const base = BigInt(digits.length)
  let bits = 0n
  for (const digit of text) bits = bits * base + BigInt(digits.indexOf(digit))
  return bits
}
