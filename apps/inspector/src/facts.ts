import { defineId, toBase62 } from 'typed-id'
import type { Id } from './read.ts'

export type Part = readonly [text: string, label?: string]

const AnyId = defineId('id')

/**
 * Maps a version of UUIDs (RFC 9562) to a description, and to labels for the
 * digits before the version digit, between it and the last 12, and these 12.
 */
const VERSIONS: Record<string, readonly [string, ...labels: string[]]> = {
  1: ['time and node', 'time', 'time and clock', 'node'],
  2: ['DCE security'],
  3: ['name, by MD5', 'hash', 'hash', 'hash'],
  4: ['random', 'random', 'random', 'random'],
  5: ['name, by SHA-1', 'hash', 'hash', 'hash'],
  6: ['time and node, in order', 'time', 'time and clock', 'node'],
  7: ['time and random, in order', 'time', 'counter', 'random'],
  8: ['custom'],
  nil: ['all bits 0'],
  max: ['all bits 1'],
}

function findVersion(uuid: string): number | 'nil' | 'max' | undefined {
  if (/^[0-]*$/.test(uuid)) return 'nil'
  if (/^[f-]*$/.test(uuid)) return 'max'
  return AnyId.version(AnyId.fromUuid(uuid))
}

export function splitId({ prefix, uuid }: Id): Part[] {
  const version = findVersion(uuid)
  const [, start = 'data', middle = 'data', end = 'data'] =
    VERSIONS[`${version}`] ?? []
  return [
    ...(prefix ? ([[prefix, 'type'], ['-']] as const) : []),
    [uuid.slice(0, 13), start],
    ['-'],
    [uuid.charAt(14), typeof version === 'number' ? 'version' : 'data'],
    [uuid.slice(15, 23), middle],
    ['-'],
    [uuid.slice(24), end],
  ]
}

export function formsOf({ prefix, uuid }: Id): {
  main: Record<string, string>
  more: Record<string, string>
} {
  const id = AnyId.fromUuid(uuid)
  const suffix = AnyId.toShort(id).slice(3)
  const version = findVersion(uuid) ?? 'none'
  const [description = 'not defined by RFC 9562'] = VERSIONS[version] ?? []
  // With `_` in the prefix, the short form (TypeID) is the only valid form.
  const hasForms = prefix !== '' && !prefix.includes('_')
  const main = {
    ...(hasForms && { Standard: `${prefix}-${uuid}` }),
    [prefix ? 'Short' : 'Base 32']: prefix ? `${prefix}_${suffix}` : suffix,
    UUID: uuid,
  }
  const more = {
    Version: `${version}: ${description}`,
    ...(hasForms && { 'Base 62': `${prefix}_${toBase62(AnyId, id).slice(3)}` }),
    Bytes: uuid.replaceAll('-', '').replace(/..(?!$)/g, '$& '),
  }
  return { main, more }
}

/**
 * Returns the milliseconds since 1970 in a uuid of version 7, 6 or 1 (RFC 9562,
 * sections 5.7, 5.6 and 5.1).
 */
export function findTime(uuid: string): number | undefined {
  const digits = uuid.replaceAll('-', '')
  const version = findVersion(uuid)
  if (version === 7) return Number.parseInt(digits.slice(0, 12), 16)
  const ticks =
    version === 6
      ? digits.slice(0, 12) + digits.slice(13, 16)
      : version === 1
        ? digits.slice(13, 16) + digits.slice(8, 12) + digits.slice(0, 8)
        : undefined
  // `ticks` counts 100 ns since 1582-10-15, which is 12,219,292,800,000 ms
  // before 1970.
  return ticks === undefined
    ? undefined
    : Number(BigInt(`0x${ticks}`) / 10_000n) - 12_219_292_800_000
}

/** Removes `+0`: toISOString() writes the year 10889 as +010889. */
export const formatTime = (time: number): string =>
  new Date(time).toISOString().replace(/^\+0/, '')
