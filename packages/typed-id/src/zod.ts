// `zod/v4` is the API of zod 4 in zod 3.25 and in zod 4. A namespace import, because zod before 4.1 exports no `codec`.
import * as z from 'zod/v4'
import { describeId, describeShortForm, describeShortId, describeStandardForm } from './core/describe.ts'
import type { TypedIdError } from './core/error.ts'
import { parsePrefix } from './core/grammar.ts'
import type { IdType, ShortId, TypedId } from './core/types.ts'
import type { OpaqueIds } from './opaque.ts'
import { createIdString, type ErrorMap } from './zod/id-string.ts'

/** A zod schema whose input is a string and whose output is an id. */
export type IdSchema<P extends string> = z.ZodType<TypedId<P>, string>

/** A zod schema whose input is a string and whose output is a short id. */
export type ShortIdSchema<P extends string> = z.ZodType<ShortId<P>, string>

/** A part of `z.templateLiteral`. A type alias, as declaration files of consumers cannot inline an interface. */
type Part = { readonly _zod: { readonly pattern: RegExp } }

export interface IdSchemaOptions {
  /**
   * The name of the schema in JSON Schema and OpenAPI. All calls with the same name and type return the same schema,
   * because zod rejects a document with two schemas of one name.
   */
  id?: string
  /**
   * The message of each issue, or a function that returns one, as in zod: `z.string({ error })`. Without it, the
   * message comes from the error map of the parse, `z.config({ customError })` or a locale other than English,
   * otherwise from this library.
   */
  error?: string | ErrorMap
}

/**
 * Returns a zod schema for the standard ids of a type.
 *
 * Its JSON Schema is a string with `pattern`, `description`, `example`, `x-typed-id: { prefix }` and `x-brand`. A
 * string that is not an id is reported as one issue with code `invalid_format` and format `typed_id`. Its message does
 * not contain the string: `wrong type: expected user, received team`.
 *
 * @throws TypeError if an earlier schema of the type has the same name and another `error`.
 * @example
 * const body = z.object({ user_id: idSchema(UserId) })
 */
export function idSchema<P extends string>(type: IdType<P>, options?: IdSchemaOptions): IdSchema<P> & Part {
  return cached(type, 'standard', options, () =>
    createSchema<TypedId<P>>(type, type.is, describeStandardForm(type.prefix), describeId(type), options),
  )
}

/**
 * Returns a zod schema for the short ids of a type, for an API whose ids are TypeIDs. It accepts and returns the short
 * form.
 *
 * Its JSON Schema is a string with `pattern`, `description`, `example`, `x-brand` and, unless the prefix has digits or
 * uppercase letters, `format: 'typeid'` and `x-typeid: { prefix }`.
 *
 * @example
 * shortIdSchema(UserId).parse('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function shortIdSchema<P extends string>(
  type: IdType<P>,
  options?: IdSchemaOptions,
): ShortIdSchema<P> & Part {
  return cached(type, 'short', options, () => {
    const described = { prefix: type.prefix, pattern: type.shortPattern, example: type.toShort(type.example) }
    const accepts = (text: string) => type.isEitherForm(text) && !type.is(text)
    const form = describeShortForm(type.prefix)
    return createSchema<ShortId<P>>(type, accepts, form, describeShortId(described), options, 'short')
  })
}

/**
 * Returns a zod codec that accepts the standard and the short form and returns the standard form. `z.encode` returns the
 * standard form. Its JSON Schema has both patterns for `io: 'input'`, and that of `idSchema` for `io: 'output'`.
 *
 * @example
 * anyIdSchema(UserId).parse('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function anyIdSchema<P extends string>(type: IdType<P>, options?: IdSchemaOptions): IdSchema<P> {
  const form = { text: describeShortForm(type.prefix), pattern: type.shortPattern }
  return createWideSchema(type, 'any', form, type.isEitherForm, type.parseEitherForm, options)
}

/**
 * Returns a zod codec that accepts the standard form and the bare lowercase UUID, and returns the standard form. Use it
 * for clients that still send the keys from before a migration to typed ids. Its JSON Schema has both patterns for
 * `io: 'input'`, and that of `idSchema` for `io: 'output'`.
 *
 * @example
 * acceptUuid(UserId).parse('0190163d-8694-739b-aea5-966c26f8ad91') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function acceptUuid<P extends string>(type: IdType<P>, options?: IdSchemaOptions): IdSchema<P> {
  const start = `${type.prefix}-`
  const form = { text: '<lowercase uuid>', pattern: type.pattern.replace(start, '') }
  const complete = (text: string) => (type.is(text) ? text : start + text)
  return createWideSchema(type, 'uuid', form, (text) => type.is(complete(text)), complete, options)
}

/**
 * Returns a zod codec between the opaque ids that clients see and the stored ids: `z.decode` or `parse` for a request,
 * `z.encode` for a response. Its JSON Schema is that of `idSchema`.
 *
 * @throws TypeError before zod 4.1, which has no codecs.
 * @example
 * const userIdSchema = opaqueIdSchema(opaqueIds(UserId, { keys }))
 * const body = z.object({ user_id: userIdSchema })
 * z.encode(body, { user_id: row.id }) // the opaque id of row.id
 */
export function opaqueIdSchema<P extends string>(
  { type, fromOpaque, toOpaque }: OpaqueIds<P>,
  options?: IdSchemaOptions,
): IdSchema<P> {
  if (!z.codec) throw new TypeError('opaqueIdSchema needs zod 4.1 or later, which has codecs')
  const schema = idSchema(type, options)
  const convert =
    (conversion: (id: never) => TypedId<P>) =>
    (id: string, { issues }: z.core.ParsePayload) => {
      try {
        return conversion(id as never)
      } catch (error) {
        const message = options?.error ? '' : `Expected ${(error as TypedIdError).expected}`
        issues.push({ code: 'custom', input: id, inst: schema, message }) // for '', zod calls the schema's `error`
        return z.NEVER
      }
    }
  return z.codec(schema, schema, { decode: convert(fromOpaque), encode: convert(toOpaque) })
}

/** Returns a schema that accepts a second form and returns the standard form. */
function createWideSchema<P extends string>(
  type: IdType<P>,
  key: string,
  form: { readonly text: string; readonly pattern: string },
  accepts: (text: string) => boolean,
  toStandard: (text: string) => string,
  options?: IdSchemaOptions,
): IdSchema<P> {
  return cached(type, key, options, () => {
    const { 'x-brand': _, description, ...keywords } = describeId(type)
    const input = createSchema<string>(
      type,
      accepts,
      `${describeStandardForm(type.prefix)} or ${form.text}`,
      {
        ...keywords,
        description: `${description} or \`${form.text}\``,
        pattern: `${type.pattern}|${form.pattern}`,
      },
      options,
    )
    const output = idSchema(type)
    return z.codec
      ? z.codec(input, output, { decode: toStandard, encode: (id) => id })
      : input.transform(toStandard).pipe(output) // zod before 4.1 has neither codecs nor `z.encode`
  })
}

interface Named {
  readonly schema: unknown
  readonly error: IdSchemaOptions['error']
}

/** The schemas with a name, by type. */
const named = /* @__PURE__ */ new WeakMap<object, Map<string, Named>>()

/** Returns the schema that an earlier call with the same name has created, otherwise a new schema. */
function cached<S>(type: IdType<string>, kind: string, options: IdSchemaOptions = {}, create: () => S): S {
  const { id, error } = options
  if (id === undefined) return create()
  const schemas = named.get(type) ?? new Map<string, Named>()
  named.set(type, schemas)
  const found = schemas.get(`${kind} ${id}`) ?? { schema: create(), error }
  if (found.error !== error) throw new TypeError(`the schema ${id} exists with another error option`)
  schemas.set(`${kind} ${id}`, found)
  return found.schema as S
}

/** Returns a schema for the strings that `accepts` accepts. `forms` describes these strings in messages. */
function createSchema<Id extends string>(
  { prefix }: IdType<string>,
  accepts: (text: string) => boolean,
  forms: string,
  keywords: { readonly pattern: string; readonly [keyword: string]: unknown },
  { id, error }: IdSchemaOptions = {},
  form = 'standard',
): z.ZodType<Id, string> & Part {
  const schema = createIdString({
    type: 'string',
    check: 'string_format',
    format: 'typed_id',
    accepts,
    pattern: new RegExp(`^(?:${keywords.pattern.replace(/[$^]/g, '')})$`), // z.templateLiteral removes the outer anchors
    messageFor(text) {
      const found = parsePrefix(text)
      return found === undefined || found === prefix
        ? `malformed ${form}: expected ${forms}`
        : `wrong type: expected ${prefix}, received ${found}`
    },
    ...(error !== undefined && { error: typeof error === 'string' ? () => error : error }),
  })
  const meta = { format: undefined, ...keywords } // zod would write `typed_id`, which is not a format of JSON Schema
  return schema.meta({ ...meta, ...(id !== undefined && { id }) }) as z.ZodType<Id, string> & Part
}
