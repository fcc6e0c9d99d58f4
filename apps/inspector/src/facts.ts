import { defineId, TypedIdError } from 'typed-id'
import { toBase62 } from 'typed-id/base62'
import { findVersion, formatAge } from 'typed-id/internal/src/cli/inspect.ts'
import { findTime, isRfcVariant } from './value.ts'

/** A property or a form of an id. */
export interface Fact {
  readonly name: string
  readonly value: string
  readonly note?: string
}

/** The properties and the forms of an id. The page has a button to copy each form. */
export interface Facts {
  readonly properties: readonly Fact[]
  readonly forms: readonly Fact[]
}

/** A part of a uuid, and a name for what it contains. */
export type Segment = readonly [text: string, meaning: string]

const VERSIONS: Record<string, string> = {
  1: 'time and node',
  2: 'DCE security',
  3: 'name, by MD5',
  4: 'random',
  5: 'name, by SHA-1',
  6: 'time and node, in order',
  7: 'time and random, in order',
  8: 'custom',
  nil: 'all bits 0',
  max: 'all bits 1',
}

/** Returns the facts about an id, or about a uuid if the prefix is empty. */
export function findFacts(prefix: string, uuid: string, now: number): Facts {
  // Undefined for a prefix with `_`, which is valid in a TypeID, but not in the forms of this library.
  const type = defineIdOrUndefined(prefix)
  const anyType = type ?? defineId('id')
  const id = anyType.fromUuid(uuid)
  const version = findVersion(uuid)
  const suffix = anyType.toShort(id).slice(anyType.prefix.length + 1)
  const time = findTime(uuid)
  const start = prefix && `${prefix}_`
  const properties = [
    { name: 'Type', value: prefix || 'none' },
    time === undefined
      ? { name: 'Created', value: 'unknown', note: 'this version contains no time' }
      : { name: 'Created', value: formatAge(time, now), note: formatDays(now - time) },
    { name: 'Version', value: String(version ?? 'none'), note: VERSIONS[String(version)] ?? 'not defined' },
    { name: 'Variant', value: findVariant(uuid) },
  ]
  const forms = [
    ...(time === undefined ? [] : [{ name: 'Time, UTC', value: formatTime(time) }]),
    ...(type ? [{ name: 'Standard', value: id }] : []),
    { name: prefix ? 'Short, TypeID' : 'Base 32', value: start + suffix },
    { name: 'UUID', value: uuid },
    ...(prefix.includes('_')
      ? []
      : [{ name: 'Base 62', value: start + toBase62(anyType, id).slice(anyType.prefix.length + 1) }]),
    { name: 'Bytes, hex', value: uuid.replaceAll('-', '').replace(/..(?!$)/g, '$& ') },
    { name: 'Base 64', value: btoa(String.fromCharCode(...anyType.toBytes(id))) },
  ]
  return { properties, forms }
}

/** Returns the parts of an id for a picture of its structure. */
export function splitId(prefix: string, uuid: string): Segment[] {
  const version = uuid.charAt(14)
  const [start, end] =
    version === '7' && isRfcVariant(uuid)
      ? ['time', 'counter']
      : version === '4'
        ? ['random', 'random']
        : ['', '']
  const segments: Segment[] = [
    [uuid.slice(0, 13), start || 'data'],
    [`-${version}`, isRfcVariant(uuid) ? 'version' : 'data'],
    [uuid.slice(15, 18), end || 'data'],
    [`-${uuid.charAt(19)}`, 'variant'],
    [uuid.slice(20), end ? 'random' : 'data'],
  ]
  return prefix ? [[prefix, 'type'], ['-', ''], ...segments] : segments
}

function defineIdOrUndefined(prefix: string) {
  try {
    return defineId<string>(prefix)
  } catch (error) {
    if (error instanceof TypedIdError) return undefined
    throw error
  }
}

/** Formats a time. A time of 48 bits can be in the year 10889, before which toISOString() puts a sign and a zero. */
function formatTime(time: number): string {
  return new Date(time).toISOString().replace(/^\+0/, '')
}

function formatDays(age: number): string {
  const days = Math.trunc(Math.abs(age) / 86_400_000)
  return days < 1 ? '' : `${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'}`
}

/** Returns the variant of a uuid (RFC 9562, section 4.1). */
function findVariant(uuid: string): string {
  const digit = Number.parseInt(uuid.charAt(19), 16)
  if (digit < 8) return 'NCS'
  if (digit < 12) return 'RFC 9562'
  return digit < 14 ? 'Microsoft' : 'reserved'
}
