import { defineId } from 'typed-id'

const AnyId = defineId('id')

/** Returns the uuid of an id in one of its forms, or of a uuid in any case. */
export const findUuid = (id: string): string => toStandard(id).slice(-36).toLowerCase()

/** Converts an id to the standard form. Returns an id in the standard form without a copy. */
const toStandard = (id: string): string =>
  id.charCodeAt(id.length - 27) === 95 ? AnyId.fromShort(`id${id.slice(-27)}`) : id

/**
 * Returns a number for the value of an id, 53 bits of a hash (cyrb53). Both forms of an id have the same number. Of a
 * million different ids, two have the same number with a probability of 1 in 18,000.
 */
export function findKey(type: number, id: string): number {
  const standard = toStandard(id)
  let high = type
  let low = ~type
  for (let at = standard.length - 36; at < standard.length; at++) {
    const unit = standard.charCodeAt(at) | 0x20 // converts letters to lower case
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = Math.imul(low ^ unit, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return (high >>> 0) * 2 ** 21 + (low >>> 11)
}

/** Puts hyphens between the groups of 32 digits. */
export const hyphenate = (digits: string): string =>
  digits.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** Returns the milliseconds since 1970 in a uuid of version 7, 6 or 1 (RFC 9562, sections 5.7, 5.6 and 5.1). */
export function findTime(uuid: string): number | undefined {
  if (!isRfcVariant(uuid)) return undefined
  const digits = uuid.replaceAll('-', '')
  const version = digits.charAt(12)
  if (version === '7') return Number.parseInt(digits.slice(0, 12), 16)
  const ticks =
    version === '6'
      ? digits.slice(0, 12) + digits.slice(13, 16)
      : version === '1'
        ? digits.slice(13, 16) + digits.slice(8, 12) + digits.slice(0, 8)
        : undefined
  // `ticks` counts 100 ns since 1582-10-15. The offset is the number of milliseconds from then to 1970.
  return ticks === undefined ? undefined : Number(BigInt(`0x${ticks}`) / 10_000n) - 12_219_292_800_000
}

export function isRfcVariant(uuid: string): boolean {
  return /[89ab]/.test(uuid.charAt(19))
}
