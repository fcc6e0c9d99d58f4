import { hasTwoForms } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'
import { UUID_PATTERN } from '../core/grammar.ts'
import { defineId } from '../core/id-type.ts'
import { type Found, type Reader, WRITERS, type Writer } from './forms.ts'

const UUID = new RegExp(`^${UUID_PATTERN}$`)

const BareUuid = defineId('id')

export function readLeniently(read: Reader): Reader {
  return (text) => {
    const found = read(text)
    if (!(found instanceof TypedIdError)) return found
    const lower = text.toLowerCase()
    const remark = 'read in lower case, in which ids are written'
    if (UUID.test(lower)) {
      const bare = 'a bare UUID, without a type'
      return {
        type: BareUuid,
        id: BareUuid.fromUuid(lower),
        form: 'uuid',
        remark: lower === text ? bare : `${bare}, ${remark}`,
      }
    }
    const again = read(lower)
    return again instanceof TypedIdError ? found : { ...again, remark }
  }
}

export const writeJson: Writer = (found) => JSON.stringify(describe(found))

export function createTableWriter(colour: boolean): Writer {
  const dim = (text: string) => (colour ? `\x1b[2m${text}\x1b[22m` : text)
  return (found) => {
    const {
      age,
      created,
      version,
      type,
      form,
      standard,
      short,
      remark,
      ...others
    } = describe(found)
    const rows = Object.entries({
      ...(remark && { remark }),
      ...(type && { type }),
      form,
      ...(type && { standard: standard ?? 'none, because of _ in the prefix' }),
      ...(short && { short }),
      ...others,
      version: version ?? 'not defined by RFC 9562',
      created: created
        ? `${created} (${age})`
        : 'unknown, only version 7 is read',
    })
    return `${rows.map(([name, value]) => `${dim(name.padEnd(9))} ${value}`).join('\n')}\n`
  }
}

function describe(found: Found) {
  const { type, id, form, remark } = found
  const uuid = type.toUuid(id)
  const isBare = type === BareUuid
  const created = type.timestamp(id)
  return {
    type: isBare ? null : type.prefix,
    form,
    standard: hasTwoForms(type) && !isBare ? id : null,
    short: isBare ? null : WRITERS.short(found),
    uuid,
    bytes: uuid.replaceAll('-', '').replace(/..(?=.)/g, '$& '),
    version: findVersion(uuid) ?? type.version(id) ?? null,
    created: created?.toISOString() ?? null,
    age: created ? formatAge(created.getTime(), Date.now()) : null,
    ...(remark && { remark }),
  }
}

function findVersion(uuid: string): 'nil' | 'max' | undefined {
  if (/^[0-]*$/.test(uuid)) return 'nil'
  return /^[f-]*$/.test(uuid) ? 'max' : undefined
}

const UNITS = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

export function formatAge(time: number, now: number): string {
  const seconds = Math.trunc((time - now) / 1000)
  const [unit, length] = UNITS.find(
    ([, length]) => Math.abs(seconds) >= length,
  ) ?? ['second', 1]
  return new Intl.RelativeTimeFormat('en', {
    numeric: seconds === 0 ? 'auto' : 'always',
  }).format(Math.trunc(seconds / length), unit)
}
