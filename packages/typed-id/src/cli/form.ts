import { TypedIdError } from '../core/error.ts'
import { UUID_PATTERN } from '../core/grammar.ts'
import { defineId } from '../core/id-type.ts'
import { explainInvalid, invalidId } from '../core/invalid.ts'
import type { IdOptions, IdType, TypedId } from '../core/types.ts'
import { fromBase62, toBase62 } from '../functions/base62.ts'
import {
  type Form,
  hasStandardForm,
  type Reader,
  toTypedIdError,
  type Writer,
} from './found.ts'

/**
 * The writer of each form. Throws `invalid_prefix` for a prefix with `_`,
 * unless the form is short or uuid.
 */
export const WRITERS: Record<Form, Writer> = {
  standard: ({ type, id }) => (hasStandardForm(type) ? id : rejectPrefix(type)),
  short: ({ type, id }) => type.toShort(id),
  uuid: ({ type, id }) => type.toUuid(id),
  base62: ({ type, id }) =>
    hasStandardForm(type) ? toBase62(type, id) : rejectPrefix(type),
}

function rejectPrefix({ prefix }: { readonly prefix: string }): never {
  throw new TypedIdError('invalid_prefix', '1 to 63 letters and digits', prefix)
}

const TYPEID_PREFIX = /^[a-z][a-z_]{0,61}[a-z]$/

/**
 * Returns the id type with a prefix, usually from `defineId`. With a TypeID
 * prefix that contains `_`, ids have the prefix only in their short form. Their
 * standard form, which is never written, has the prefix `id`.
 *
 * @throws TypedIdError `invalid_prefix`.
 */
export function defineType(
  prefix: string,
  options: IdOptions = {},
): IdType<string> {
  if (!prefix.includes('_')) return defineId(prefix, options)
  if (!TYPEID_PREFIX.test(prefix))
    throw new TypedIdError(
      'invalid_prefix',
      'letters a-z and _, the first and the last a letter',
      prefix,
    )
  const carrier: IdType<string> = defineId('id', options)
  const fromShort = (text: unknown) => {
    const short = String(text).replace(prefix, 'id')
    if (String(text).startsWith(`${prefix}_`) && carrier.isEitherForm(short))
      return carrier.parseEitherForm(short)
    throw new TypedIdError(...explainInvalid(prefix, text, true))
  }
  return {
    ...carrier,
    prefix,
    parse: () => rejectPrefix({ prefix }),
    parseEitherForm: fromShort,
    fromShort,
    toShort: (id) => carrier.toShort(id).replace('id', prefix) as never,
  }
}

/** The parser of each form. 'any' accepts the standard and the short form. */
const PARSERS: Record<
  Form | 'any',
  (type: IdType<string>, text: string) => TypedId<string>
> = {
  any: (type, text) => type.parseEitherForm(text),
  standard: (type, text) => type.parse(text),
  short: (type, text) => type.fromShort(text),
  uuid: (type, text) => type.fromUuid(text),
  base62: fromBase62,
}

/**
 * Returns a function that reads ids of the type `only`, or ids of any type if
 * `only` is undefined.
 */
export function createReader(
  form: Form | 'any',
  only: IdType<string> | undefined,
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
        form: form !== 'any' ? form : id === text ? 'standard' : 'short',
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

/**
 * Returns the error for a string that is not an id of any type in the given
 * form.
 */
function errorForAnyType(text: string, form: Form | 'any'): TypedIdError {
  if (form === 'base62')
    return new TypedIdError(
      'malformed_short',
      'a prefix, "_" and 1 to 22 letters and digits',
      text,
    )
  return invalidId(text, form === 'any' ? undefined : form !== 'standard')
}

/** Limits the memory for input with many prefixes. */
const MAX_CACHED_TYPES = 1000

/** Returns a function that finds the id type by the prefix of an id. */
function createTypeFinder(): (text: string) => IdType<string> {
  const types = new Map<string, IdType<string>>()
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
