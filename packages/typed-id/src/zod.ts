import * as z from 'zod'
import type { IdType, TypedId } from './types.ts'

/** A zod schema that takes a string and gives an id. */
export type IdSchema<P extends string> = z.ZodType<TypedId<P>, string>

/**
 * Returns a zod schema for the standard ids of a type.
 *
 * Its JSON Schema is a string with `pattern`, `description`, `example` and `x-typed-id: { prefix }`.
 * A string that is no such id gives one issue of code `invalid_format`, whose message does not repeat the string.
 *
 * @example
 * const body = z.object({ user_id: idSchema(UserId) })
 */
export function idSchema<P extends string>(type: IdType<P>): IdSchema<P> {
  return z
    .stringFormat('typed_id', type.is, { error: message(`Expected ${type.prefix}-<lowercase uuid>`) })
    .meta({
      ...describe(type),
      description: `Identifier of type ${type.prefix}: the prefix, a hyphen and a UUID`,
      pattern: type.pattern,
    }) as unknown as IdSchema<P>
}

/**
 * Returns a zod schema that takes the standard or the short form and gives the standard form.
 *
 * @example
 * anyIdSchema(UserId).parse('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function anyIdSchema<P extends string>(type: IdType<P>): IdSchema<P> {
  const { prefix } = type
  return z
    .stringFormat('typed_id', type.isAny, {
      abort: true,
      error: message(`Expected ${prefix}-<lowercase uuid> or ${prefix}_<26 lowercase base32 characters>`),
    })
    .overwrite(type.parseAny)
    .meta({
      ...describe(type),
      description: `Identifier of type ${prefix} in its standard or its short form`,
      pattern: `${type.pattern}|${type.shortPattern}`,
    }) as unknown as IdSchema<P>
}

function describe<P extends string>(type: IdType<P>): Record<string, unknown> {
  return { example: type.example, 'x-typed-id': { prefix: type.prefix }, format: undefined }
}

function message(text: string): (issue: { readonly code?: string | undefined }) => string | undefined {
  return (issue) => (issue.code === 'invalid_format' ? text : undefined)
}
