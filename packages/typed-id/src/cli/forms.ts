import { type AnyIdType, hasTwoForms } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'
import { UUID_PATTERN } from '../core/grammar.ts'
import { defineId } from '../core/id-type.ts'
import { invalidId } from '../core/invalid.ts'
import type { IdOptions } from '../core/types.ts'
import { fromBase62, toBase62 } from '../forms/base62.ts'
import { defineTypeId } from '../typeid.ts'
import { type Form, type Reader, toTypedIdError, type Writer } from './found.ts'

/**
 * The function that writes each form. TypeIDs whose prefix has `_` have no
 * standard form and no base 62 form: their writers throw `invalid_prefix`.
 */
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

/**
 * Returns the id type with a prefix. Only a TypeID has a prefix with `_`.
 *
 * @throws TypedIdError `invalid_prefix`.
 */
export function defineType(
  prefix: string,
  options: IdOptions = {},
  isTypeId = prefix.includes('_'),
): AnyIdType {
  return isTypeId
    ? defineTypeId<string>(prefix, options)
    : defineId<string>(prefix, options)
}

/**
 * The functions that parse each form. 'any' accepts the standard and the short
 * form.
 */
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

/**
 * Returns a function that reads ids of the type `only`, or ids of any type if
 * `only` is undefined.
 */
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
      return {
        type,
        id,
        form:
          form !== 'any'
            ? form
            : hasTwoForms(type) && id === text
              ? 'standard'
              : 'short',
      }
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

/**
 * Maximum number of id types in the cache, which limits the memory for input
 * with many prefixes.
 */
const MAX_CACHED_TYPES = 1000

function createTypeFinder(): (text: string) => AnyIdType {
  const types = new Map<string, AnyIdType>()
  return (text) => {
    const hyphen = text.indexOf('-')
    const prefix = text.slice(0, hyphen < 0 ? text.lastIndexOf('_') : hyphen)
    let type = types.get(prefix)
    if (!type) {
      type = defineType(prefix)
      if (types.size >= MAX_CACHED_TYPES) types.clear()
      types.set(prefix, type)
    }
    return type
  }
}
