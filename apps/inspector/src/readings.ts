import { defineId } from 'typed-id'
import { fromBase62 } from 'typed-id/base62'
import { correctLookAlikes } from 'typed-id/internal/src/core/digits.ts'
import { correctId } from 'typed-id/loose'
import { hyphenate } from './value.ts'

/** One way to read a string as 128 bits, with or without a type. */
export interface Reading {
  /** The form of the string, such as 'TypeID'. */
  readonly kind: string
  /** The type, or an empty string for a value without a type. */
  readonly prefix: string
  readonly uuid: string
  /** The necessary corrections, for a string that only looks like an id. Empty if the string is valid. */
  readonly corrections: readonly string[]
  /** The corrected string, in the same form. */
  readonly expected: string
}

/** Converts the values that have no type. */
const AnyId = defineId('id')

/** Matches a prefix of letters, digits and, for TypeIDs, `_`, and up to 3 characters between prefix and uuid. */
const START = '(?:([a-z\\d]+(?:_+[a-z\\d]+)*?)([^a-z\\d]{0,3}))?'
/** Matches a valid prefix of an id or a TypeID. */
const PREFIX = /^(?:[a-zA-Z\d]{0,63}|[a-z_]{0,63})$/
const DASHES = '-\u2010-\u2015\u2212'
const UUID = [8, 4, 4, 4, 12].map((length) => `[\\da-filo]{${length}}`).join(`[${DASHES}_ ]?`)
const STANDARD = new RegExp(`^(?:urn:uuid:|${START})(${UUID})$`, 'i')
const SHORT = new RegExp(`^${START}([0-7ilo][\\da-z]{25})$`, 'i')
const QUOTES = /^["'`<({[]+|["'`>)}\],;.]+$/g
const LOOK_ALIKES = 'I, L and O are no digits, 1 and 0 are.'
const MAX_LENGTH = 200

const READERS = [readStandard, readShort, readBase62, readBase64]

/** Returns all ways to read a string as one id, uuid or value of 16 bytes, or an empty array. */
export function findReadings(text: string): Reading[] {
  const bare = text.trim().replace(QUOTES, '')
  if (bare.length > MAX_LENGTH) return []
  const bytes = readHex(bare) // read first, because `0x` is not a type
  return bytes ? [bytes] : [...readAs(bare), ...readLoosely(bare)]
}

const readAs = (text: string): Reading[] => READERS.flatMap((read) => read(text) ?? [])

/** Reads encoded separators, and any character in place of a hyphen, which `parseLoose` accepts but no reader does. */
function readLoosely(text: string): Reading[] {
  const corrected = correctId(text)
  const isEncoded = /%(2d|5f)/i.test(text)
  // Ignores other short forms, because a word of 27 letters could be a prefix with a suffix.
  if (corrected === undefined || !(isEncoded || corrected.includes('-'))) return []
  if (readAs(text).some(({ expected }) => expected === corrected)) return []
  return readAs(corrected).map((reading) => ({
    ...reading,
    corrections: [
      isEncoded ? 'A separator is percent-encoded.' : 'A separator is another character.',
      ...reading.corrections,
    ],
  }))
}

function readStandard(text: string): Reading | undefined {
  const [, prefix = '', separator = '', found = ''] = STANDARD.exec(text) ?? []
  // Rejects the end of a longer hexadecimal number, such as an SHA-1, unless there is a separator before the uuid.
  if (!found || prefix.includes('_') || !PREFIX.test(prefix)) return undefined
  if (prefix && !separator && /^[\da-f]+$/i.test(prefix)) return undefined
  const uuid = hyphenate(correctLookAlikes(found).replace(/[^\da-z]/g, ''))
  const type = correctPrefix(prefix, text)
  const hyphens = found.replace(/[^-]/g, '').length
  if (!prefix && /^[\da-f]{32}$/i.test(found)) return { ...valid('16 bytes in hexadecimal', uuid), prefix }
  const corrections = [
    ...correctSeparator(prefix, separator, '-'),
    ...(prefix ? correctCase(found) : []), // a uuid is valid in upper case (RFC 9562)
    ...(/[ilo]/i.test(found) ? [LOOK_ALIKES] : []),
    ...(found.length < 36
      ? ['Hyphens are missing in the uuid.']
      : hyphens < 4
        ? ['The uuid has a dash or another character instead of a hyphen.']
        : []),
  ]
  const expected = prefix ? `${type}-${uuid}` : uuid
  return { kind: prefix ? 'Typed id, standard form' : 'UUID', prefix: type, uuid, corrections, expected }
}

function readShort(text: string): Reading | undefined {
  const [, prefix = '', separator = '', found = ''] = SHORT.exec(text) ?? []
  const suffix = correctLookAlikes(found).replaceAll('u', 'v')
  // Requires a digit, because otherwise words of 26 letters would be ids.
  if (suffix !== found && !/\d/.test(found)) return undefined
  if (!found || (prefix && !separator && !(/^[a-z]+$/i.test(prefix) && found.startsWith('0'))))
    return undefined
  const type = correctPrefix(prefix, text)
  if (!PREFIX.test(type)) return undefined
  const corrections = [
    ...correctSeparator(prefix, separator, '_'),
    ...correctCase(found),
    ...(/[ilo]/i.test(found) ? [LOOK_ALIKES] : []),
    ...(/u/i.test(found) ? ['U is no digit, V is.'] : []),
  ]
  const uuid = AnyId.toUuid(AnyId.fromShort(`id_${suffix}`))
  const expected = prefix ? `${type}_${suffix}` : suffix
  const kind = prefix ? 'Typed id, short form (TypeID)' : 'TypeID without a type'
  return { kind, prefix: type, uuid, corrections, expected }
}

/** Reads base 62. With fewer than 16 digits, every word after `_` would be an id. */
function readBase62(text: string): Reading | undefined {
  const [, prefix = '', digits = ''] = /^(?:([a-z\d]{1,63})_)?([a-z\d]{16,22})$/i.exec(text) ?? []
  if (
    !digits ||
    (!prefix && !(digits.length > 19 && /\d/.test(digits) && /[a-z]/.test(digits) && /[A-Z]/.test(digits)))
  )
    return undefined
  try {
    const uuid = AnyId.toUuid(fromBase62(AnyId, `id_${digits}`))
    return { ...valid('Base 62', uuid), prefix, expected: text }
  } catch {
    return undefined // the number has more than 128 bits
  }
}

/** Reads 16 bytes as programs print them: `<Buffer 01 90 …>`, `\x0190…`, `0x01, 0x90, …`, `1, 144, …`. */
function readHex(text: string): Reading | undefined {
  const bare = text.replace(/^(?:buffer\s|uint8array\(16\)\s*\[|\\x|0x(?=\w{32}$)|x')/i, '').trim()
  const parts = /^[\da-f]{32}$/i.test(bare) ? (bare.match(/../g) as string[]) : bare.split(/[\s,:]+|(?=\\x)/)
  if (parts.length !== 16 || (bare === text && /^\w+$/.test(text))) return undefined
  const isHex = parts.every((part) => /^(?:0x|\\x)?[\da-f]{2}$/i.test(part))
  const isDecimal = parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)
  if (!isHex && !isDecimal) return undefined
  const bytes = parts.map((part) => (isHex ? Number.parseInt(part.slice(-2), 16) : Number(part)))
  return valid(isHex ? '16 bytes in hexadecimal' : '16 bytes in decimal', toUuid(bytes))
}

/** Reads base64. Its 22 digits hold 132 bits, of which the last 4 are zero. */
function readBase64(text: string): Reading | undefined {
  if (!/^[\w+/-]{21}[AQgw](?:==)?$/.test(text)) return undefined
  const binary = atob(text.slice(0, 22).replaceAll('-', '+').replaceAll('_', '/'))
  return valid('16 bytes in base 64', toUuid(Array.from(binary, (unit) => unit.charCodeAt(0))))
}

function toUuid(bytes: readonly number[]): string {
  return AnyId.toUuid(AnyId.fromBytes(Uint8Array.from(bytes)))
}

function valid(kind: string, uuid: string): Reading {
  return { kind, prefix: '', uuid, corrections: [], expected: uuid }
}

/** Returns the prefix in lower case if the input has only upper case letters, which is a mistake. */
function correctPrefix(prefix: string, text: string): string {
  return /[a-z]/.test(text) ? prefix : prefix.toLowerCase()
}

const correctCase = (found: string) => (/[A-Z]/.test(found) ? ['Ids are in lower case.'] : [])

function correctSeparator(prefix: string, found: string, expected: '-' | '_'): string[] {
  if (!prefix || found === expected) return []
  const place = expected === '-' ? 'between type and uuid' : 'between type and base 32 digits'
  return [
    found
      ? `The separator ${place} is "${found}" instead of "${expected}".`
      : `${expected} is missing ${place}.`,
  ]
}
