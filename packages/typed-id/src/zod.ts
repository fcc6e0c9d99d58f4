import { stringFormat, type ZodType } from 'zod'
import type { IdType, TypedId } from './index.ts'

/** A zod schema whose input is a string and whose output is an id. */
export type IdSchema<P extends string> = ZodType<TypedId<P>, string>

/**
 * Returns a zod schema for the standard ids of a type.
 *
 * Its JSON Schema is a string with `pattern`, `description`, `example` and `x-typed-id: { prefix }`.
 * A string that is not an id is reported as one issue with code `invalid_format`. The message does not contain the
 * string.
 *
 * @example
 * const body = z.object({ user_id: idSchema(UserId) })
 */
export function idSchema<P extends string>(type: IdType<P>): IdSchema<P> {
  const schema = createSchema(type.is, describeStandardForm(type))
  return addMetadata(schema, type, describeStandardForm(type), type.pattern)
}

/**
 * Returns a zod schema that accepts the standard and the short form and returns the standard form.
 *
 * @example
 * anyIdSchema(UserId).parse('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function anyIdSchema<P extends string>(type: IdType<P>): IdSchema<P> {
  const forms = `${describeStandardForm(type)} or ${type.prefix}_<26 base32 digits>`
  const schema = createSchema(type.isAny, forms).overwrite(type.parseAny)
  return addMetadata(schema, type, forms, `${type.pattern}|${type.shortPattern}`)
}

function describeStandardForm(type: IdType<string>): string {
  return `${type.prefix}-<lowercase uuid>`
}

/**
 * Checks with a function, which is 1.6 times as fast as a regular expression. zod itself rejects a value that is not a
 * string.
 */
function createSchema(accepts: (text: string) => boolean, forms: string) {
  return stringFormat('typed_id', accepts, {
    abort: true,
    error: (issue) => (issue.code === 'invalid_format' ? `Expected ${forms}` : undefined),
  })
}

function addMetadata<P extends string>(
  schema: ZodType<string, string>,
  { prefix, example }: IdType<P>,
  forms: string,
  pattern: string,
): IdSchema<P> {
  return schema.meta({
    description: `Identifier of type ${prefix}: ${forms}`,
    example,
    pattern,
    format: undefined, // zod would write `typed_id`, which is not a format of JSON Schema
    'x-typed-id': { prefix },
  }) as IdSchema<P>
}
