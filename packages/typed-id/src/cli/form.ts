import { fromBase62, toBase62 } from '../base62.ts'
import { describeShortForm, describeStandardForm } from '../core/describe.ts'
import { TypedIdError } from '../core/error.ts'
import { defineId } from '../core/id-type.ts'
import { invalidId } from '../core/invalid.ts'
import type { IdType, TypedId } from '../core/types.ts'
import type { Form, Reader, Writer } from './found.ts'

export const WRITERS: Record<Form, Writer> = {
  standard: ({ id }) => id,
  short: ({ type, id }) => type.toShort(id),
  uuid: ({ type, id }) => type.toUuid(id),
  base62: ({ type, id }) => toBase62(type, id),
}

/** The parser of each form. 'any' accepts the standard and the short form. */
const PARSERS: Record<Form | 'any', (type: IdType<string>, text: string) => TypedId<string>> = {
  any: (type, text) => type.parseAny(text),
  standard: (type, text) => type.parse(text),
  short: (type, text) => type.fromShort(text),
  uuid: (type, text) => type.fromUuid(text),
  base62: fromBase62,
}

/** Returns a function that reads ids of the type `only`, or, if it is undefined, ids of any type. */
export function createReader(form: Form | 'any', only: IdType<string> | undefined): Reader {
  const parse = PARSERS[form]
  const findType = only ? () => only : createTypeFinder()
  return (text) => {
    try {
      const type = findType(text)
      const id = parse(type, text)
      return { type, id, form: form !== 'any' ? form : id === text ? 'standard' : 'short' }
    } catch (error) {
      if (error instanceof TypedIdError) return only ? error : errorForAnyType(text, form)
      throw error
    }
  }
}

const ANY_PREFIX = '<prefix>'

const EXPECTED: Record<Form, string> = {
  standard: describeStandardForm(ANY_PREFIX),
  short: describeShortForm(ANY_PREFIX),
  uuid: '<lowercase uuid>',
  base62: '<prefix>_<1 to 22 base 62 digits>',
}

/** Returns the error for a string that is not an id of any type in a form. */
function errorForAnyType(text: string, form: Form | 'any'): TypedIdError {
  if (form === 'any') return invalidId(ANY_PREFIX, text)
  return new TypedIdError(
    form === 'standard' ? 'malformed_standard' : 'malformed_short',
    EXPECTED[form],
    text,
  )
}

/** Limits the memory for input with many prefixes. */
const MAX_CACHED_TYPES = 1000

/** Returns a function that finds the id type by the prefix of an id. */
function createTypeFinder(): (text: string) => IdType<string> {
  const types = new Map<string, IdType<string>>()
  return (text) => {
    const hyphen = text.indexOf('-')
    const prefix = text.slice(0, hyphen < 0 ? text.indexOf('_') : hyphen)
    let type = types.get(prefix)
    if (!type) {
      type = defineId(prefix)
      if (types.size >= MAX_CACHED_TYPES) types.clear()
      types.set(prefix, type)
    }
    return type
  }
}
