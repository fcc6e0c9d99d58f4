/*
 * A simple and slow reference implementation of src/core/conversions.ts for the
 * differential test fuzz.test.ts.
 */

import { isTypedIdError } from '../src/index.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const SUFFIX = /^[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/

export function isUuid(text: string, start: string): boolean {
  return text.startsWith(start) && UUID.test(text.slice(start.length))
}

export function readSuffix(text: string, start: string): boolean {
  return text.startsWith(start) && SUFFIX.test(text.slice(start.length))
}

export function numberOfUuid(uuid: string): bigint {
  return BigInt(`0x${uuid.replaceAll('-', '')}`)
}

export function uuidOfNumber(number: bigint): string {
  const hex = number.toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function suffixOfNumber(number: bigint): string {
  let suffix = ''
  for (let i = 0n; i < 26n; i++)
    suffix = ALPHABET.charAt(Number((number >> (5n * i)) & 31n)) + suffix
  return suffix
}

export function numberOfSuffix(suffix: string): bigint {
  let number = 0n
  for (const character of suffix)
    number = number * 32n + BigInt(ALPHABET.indexOf(character))
  return number
}

export function bytesOfNumber(number: bigint): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) =>
    Number((number >> BigInt(120 - 8 * i)) & 255n),
  )
}

export function versionOfNumber(number: bigint): number | undefined {
  return ((number >> 62n) & 3n) === 2n
    ? Number((number >> 76n) & 15n)
    : undefined
}

export function timeOfNumber(number: bigint): number | undefined {
  return versionOfNumber(number) === 7 ? Number(number >> 80n) : undefined
}

export const timeOf = (uuid: string): number =>
  Number(numberOfUuid(uuid) >> 80n)
export function counterOf(uuid: string): number {
  const number = numberOfUuid(uuid)
  return Number(((number >> 50n) & 0x3ffc000n) | ((number >> 48n) & 0x3fffn))
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function base62OfNumber(number: bigint): string {
  return (
    (number >= 62n ? base62OfNumber(number / 62n) : '') +
    DIGITS.charAt(Number(number % 62n))
  )
}

export function numberOfBase62(digits: string): bigint {
  let number = 0n
  for (const digit of digits)
    number = number * 62n + BigInt(DIGITS.indexOf(digit))
  return number
}

export function codeOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return isTypedIdError(error) ? error.code : error
  }
  return 'no error'
}
