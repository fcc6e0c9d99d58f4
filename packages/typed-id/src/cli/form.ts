import { fromBase62, toBase62 } from '../base62.ts'
import { defineId, type IdType, idRegistry, type TypedId, TypedIdError } from '../index.ts'

/** The ways to write an id that the command line knows. */
export const FORMS = ['standard', 'short', 'uuid', 'base62'] as const
export type Form = (typeof FORMS)[number]

export interface Found {
  readonly type: IdType<string>
  readonly id: TypedId<string>
  readonly form: Form
}

export type Reader = (text: string) => Found | TypedIdError
export type Writer = (found: Found) => string

export const WRITERS: Record<Form, Writer> = {
  standard: ({ id }) => id,
  short: ({ type, id }) => type.toShort(id),
  uuid: ({ type, id }) => type.toUuid(id),
  base62: ({ type, id }) => toBase62(type, id),
}

/** How a text is read once its type is known. Without a form it is told by the separator, base 62 aside. */
const PARSERS: Record<Form | 'any', (type: IdType<string>, text: string) => TypedId<string>> = {
  any: (type, text) => type.parseAny(text),
  standard: (type, text) => type.parse(text),
  short: (type, text) => type.fromShort(text),
  uuid: (type, text) => type.fromUuid(text),
  base62: fromBase62,
}

/** Reads ids of one type, or of the type that each text names. */
export function readerFor(form: Form | 'any', only: IdType<string> | undefined): Reader {
  const parse = PARSERS[form]
  const typeOf = only ? () => only : typesByText()
  return (text) => {
    try {
      const type = typeOf(text)
      const id = parse(type, text)
      return { type, id, form: form !== 'any' ? form : id === text ? 'standard' : 'short' }
    } catch (error) {
      if (error instanceof TypedIdError) return only ? error : unreadable(text)
      throw error
    }
  }
}

const noTypes = idRegistry([])

/** Why a text is no id of any type. */
const unreadable = (text: string) => noTypes.safeParse(text).error as TypedIdError

/** A file can name any number of types; only so many are kept. */
const KEPT_TYPES = 1000

function typesByText(): (text: string) => IdType<string> {
  const types = new Map<string, IdType<string>>()
  return (text) => {
    const hyphen = text.indexOf('-')
    const prefix = text.slice(0, hyphen < 0 ? text.indexOf('_') : hyphen)
    let type = types.get(prefix)
    if (!type) {
      type = defineId(prefix)
      if (types.size >= KEPT_TYPES) types.clear()
      types.set(prefix, type)
    }
    return type
  }
}
