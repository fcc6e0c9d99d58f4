import type { Found, Writer } from './form.ts'

/** One JSON object a line. */
export const json: Writer = (found) => `${JSON.stringify(describe(found))}\n`

/** A readable block; the names of the rows are dim where that is welcome. */
export function table(colour: boolean): Writer {
  return (found) => {
    const { age, created, version, ...rest } = describe(found)
    const rows = Object.entries({
      ...rest,
      version: version ?? 'none of RFC 9562',
      created: created ? `${created} (${age})` : 'not told by this version',
    })
    return `${rows.map(([name, value]) => `${dim(name.padEnd(9), colour)} ${value}`).join('\n')}\n\n`
  }
}

function describe({ type, id, form }: Found) {
  const uuid = type.toUuid(id)
  const created = type.timestamp(id)
  return {
    type: type.prefix,
    form,
    standard: id,
    short: type.toShort(id),
    uuid,
    bytes: Array.from(type.toBytes(id), (byte) => byte.toString(16).padStart(2, '0')).join(' '),
    version: versionOf(uuid),
    created: created?.toISOString() ?? null,
    age: created ? ageOf(created.getTime(), Date.now()) : null,
  }
}

/** The version of RFC 9562, its two special uuids by name, or null where the variant says that it does not apply. */
function versionOf(uuid: string): number | 'nil' | 'max' | null {
  if (/^[0-]*$/.test(uuid)) return 'nil'
  if (/^[f-]*$/.test(uuid)) return 'max'
  return /[89ab]/.test(uuid.charAt(19)) ? Number.parseInt(uuid.charAt(14), 16) : null
}

const UNITS = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** The time between in words: '3 hours ago', 'in 2 days', 'now'. */
export function ageOf(time: number, now: number): string {
  const seconds = Math.trunc((time - now) / 1000)
  const [unit, length] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', {
    numeric: unit === 'second' && seconds === 0 ? 'auto' : 'always',
  }).format(Math.trunc(seconds / length), unit)
}

function dim(text: string, colour: boolean): string {
  return colour ? `\x1b[2m${text}\x1b[22m` : text
}
