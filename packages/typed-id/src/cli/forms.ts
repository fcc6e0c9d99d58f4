import { type AnyIdType, hasTwoForms } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'
import { UUID_PATTERN } from '../core/grammar.ts'
import { defineId } from '../core/id-type.ts'
import { invalidId } from '../core/invalid.ts'
import type { IdOptions } from '../core/types.ts'
import { fromBase62, toBase62 } from '../forms/base62.ts'
import { defineTypeId } from '../typeid.ts'

export const FORMS = ['standard', 'short', 'uuid', 'base62'] as const
export type Form = (typeof FORMS)[number]

export interface Found {
  readonly type: AnyIdType
  readonly id: string
  readonly form: Form
  readonly remark?: string
}

export type Reader = (text: string) => Found | TypedIdError
export type Writer = (found: Found) => string

export const WRITERS: Record<Form, Writer> = {
  standard: ({ type, id }) => (hasTwoForms(type) ? id : rejectPrefix(type)),
  short: ({ type, id }) => (hasTwoForms(type) ? type.toShort(id as never) : id),
  uuid: ({ type, id }) => type.toUuid(id),
  base62: ({ type, id }) =>
    hasTwoForms(type) ? toBase62(type, id as never) : rejectPrefix(type),
}

function rejectPrefix({ prefix }: { readonly prefix: string }): never {
  throw new TypedIdError('invalid_prefix', '1 to 63 letters and digits', prefix)
}

export function defineType(
  prefix: string,
  options: IdOptions = {},
  isTypeId = prefix.includes('_'),
): AnyIdType {
  return isTypeId
    ? defineTypeId<string>(prefix, options)
    : defineId<string>(prefix, options)
}

const PARSERS: Record<Form | 'any', (type: AnyIdType, text: string) => string> =
  {
    any: (type, text) =>
      hasTwoForms(type) ? type.parseEitherForm(text) : type.parse(text),
    standard: (type, text) =>
      hasTwoForms(type) ? type.parse(text) : rejectPrefix(type),
    short: (type, text) =>
      hasTwoForms(type) ? type.fromShort(text) : type.parse(text),
    uuid: (type, text) => type.fromUuid(text),
    base62: fromBase62,
  }

export function createReader(
  form: Form | 'any',
  only: AnyIdType | undefined,
): Reader {
  const parse = PARSERS[form]
  const findType = only ? () => only : createTypeFinder()
  return (text) => {
    try {
      const type = findType(text)
      const id = parse(type, text)
      const isStandard = hasTwoForms(type) && id === text
      const found = isStandard ? 'standard' : 'short'
      return { type, id, form: form === 'any' ? found : form }
    } catch (error) {
      const invalid = toTypedIdError(error)
      const reason = only ? invalid : errorForAnyType(text, form)
      if (form === 'uuid' || !UUID.test(text)) return reason
      return new TypedIdError(
        reason.code,
        `${reason.expected} (or --from uuid --type <prefix>)`,
        text,
      )
    }
  }
}

const UUID = new RegExp(`^${UUID_PATTERN}$`, 'i')

function errorForAnyType(text: string, form: Form | 'any'): TypedIdError {
  if (form === 'base62')
    return new TypedIdError(
      'malformed_short',
      'a prefix, "_" and 1 to 22 letters and digits',
      text,
    )
  return invalidId(text, form === 'any' ? undefined : form !== 'standard')
}

function createTypeFinder(): (text: string) => AnyIdType {
  let last: AnyIdType | undefined
  return (text) => {
    const hyphen = text.indexOf('-')
    const prefix = text.slice(0, hyphen < 0 ? text.lastIndexOf('_') : hyphen)
    if (last?.prefix !== prefix) last = defineType(prefix)
    return last
  }
}

export function toTypedIdError(error: unknown): TypedIdError {
  if (error instanceof TypedIdError) return error
  throw error
}
