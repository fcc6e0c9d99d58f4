import * as reference from '../reference.ts'
import { PREFIXES } from './values.ts'

/* The expected result of each function, by the reference implementation. It is undefined if the function must throw. */

export const standard = (value: unknown) =>
  typeof value === 'string' && reference.isUuid(value, 'user-') ? value : undefined
export const short = (value: unknown) =>
  typeof value === 'string' && reference.isSuffix(value, 'user_')
    ? `user-${reference.uuidOfNumber(reference.numberOfSuffix(value.slice(5)))}`
    : undefined
export const either = (value: unknown) => standard(value) ?? short(value)
export const numberOf = (value: unknown) => {
  const id = standard(value)
  return id === undefined ? undefined : reference.numberOfUuid(id.slice(5))
}
export const mapped = <In, Out>(value: In | undefined, change: (value: In) => Out) =>
  value === undefined ? undefined : change(value)

export const tagged = (value: unknown) => {
  const [, prefix = '', rest = ''] = typeof value === 'string' ? (/^(\w+?)[-_](.*)$/s.exec(value) ?? []) : []
  if (!PREFIXES.some((known) => known === prefix)) return undefined
  const text = value as string
  if (reference.isUuid(text, `${prefix}-`)) return { type: prefix, id: text }
  if (!reference.isSuffix(text, `${prefix}_`)) return undefined
  return { type: prefix, id: `${prefix}-${reference.uuidOfNumber(reference.numberOfSuffix(rest))}` }
}

export const ofBase62 = (value: unknown) => {
  const digits =
    typeof value === 'string' ? /^user_(0|[1-9A-Za-z][0-9A-Za-z]{0,21})$/.exec(value)?.[1] : undefined
  const number = mapped(digits, reference.numberOfBase62)
  return number !== undefined && number < 2n ** 128n ? `user-${reference.uuidOfNumber(number)}` : undefined
}

export const ofBytes = (value: unknown) =>
  ArrayBuffer.isView(value) &&
  Object.prototype.toString.call(value) === '[object Uint8Array]' &&
  value.byteLength === 16
    ? `user-${reference.uuidOfNumber(BigInt(`0x${Buffer.from(value as Uint8Array).toString('hex')}`))}`
    : undefined

export function timeOf(value: unknown): number[] | undefined {
  const time = typeof value === 'number' ? value : value instanceof Date ? value.getTime() : Number.NaN
  return time >= 0 && time < 2 ** 48 ? [Math.abs(Math.floor(time))] : undefined
}

export const isCount = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
