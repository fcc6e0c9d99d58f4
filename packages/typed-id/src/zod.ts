// zod 3.25 and zod 4 both export the API of zod 4 as `zod/v4`.
import * as z from 'zod/v4'
import type { AnyIdType } from './core/any-id.ts'
import {
  describeShortForm,
  describeShortId,
  describeType,
  formOf,
} from './core/describe.ts'
import type { TypedIdError } from './core/error.ts'
import { UUID_PATTERN } from './core/grammar.ts'
import type { IdType, ShortId, TypedId } from './core/types.ts'
import type { OpaqueIds } from './opaque.ts'
import type { IdRegistry } from './registry.ts'
import {
  cached,
  createCodec,
  createSchema,
  type IdSchema,
  type IdSchemaOptions,
  type InputOf,
} from './zod/id-string.ts'

export type { IdSchema, IdSchemaOptions }

/**
 * Returns a zod schema for the ids of a type: the standard ids of `defineId`,
 * or the TypeIDs of `defineTypeId`.
 *
 * The JSON Schema is a string with `pattern`, `description`, `examples`,
 * `x-brand`, and `x-typed-id` or `x-typeid`: `{ prefix }`. Issues do not
 * contain the invalid string.
 *
 * @throws TypeError if the type already has a schema with the same option `id`,
 * but a different value of the option `error`.
 * @example
 * const body = z.object({ user_id: idSchema(UserId) })
 */
export function idSchema<T extends AnyIdType, O extends IdSchemaOptions>(
  type: T,
  options?: O,
): IdSchema<T['example'], InputOf<O, T['example']>> {
  return cached(type, 'own', options, () =>
    createSchema(type, formOf(type), describeType(type), options),
  )
}

/**
 * Returns a zod schema that accepts and returns the short ids of a type.
 *
 * @example
 * shortIdSchema(UserId).parse('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function shortIdSchema<P extends string, O extends IdSchemaOptions>(
  type: IdType<P>,
  options?: O,
): IdSchema<ShortId<P>, InputOf<O, ShortId<P>>> {
  return cached(type, 'short', options, () => {
    const described = {
      prefix: type.prefix,
      pattern: type.shortPattern,
      example: type.toShort(type.example),
    }
    const form = describeShortForm(type.prefix)
    return createSchema(type, form, describeShortId(described), options)
  })
}

/**
 * Returns a zod codec that accepts the standard and the short form and returns
 * the standard form. `z.toJSONSchema` with `io: 'input'` describes both forms.
 *
 * @example
 * eitherFormSchema(UserId).parse('user_01j0b3v1mmeedtx9cpdgkfhbch') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function eitherFormSchema<P extends string, O extends IdSchemaOptions>(
  type: IdType<P>,
  options?: O,
): IdSchema<TypedId<P>, InputOf<O, TypedId<P> | ShortId<P>>> {
  const form = describeShortForm(type.prefix)
  return createWideSchema(
    type,
    form,
    type.shortPattern,
    type.parseEitherForm,
    options,
  )
}

export interface UuidOrIdSchemaOptions extends IdSchemaOptions {
  /** Also accepts bare UUIDs in upper case, as Apple's `UUID` writes them. */
  upperCase?: boolean
}

/**
 * Returns a zod codec that accepts an id or a bare lowercase UUID, and returns
 * the id. Use the codec while clients still send bare UUIDs.
 *
 * @example
 * uuidOrIdSchema(UserId).parse('0190163d-8694-739b-aea5-966c26f8ad91') // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function uuidOrIdSchema<T extends AnyIdType>(
  type: T,
  { upperCase, ...options }: UuidOrIdSchemaOptions = {},
): IdSchema<T['example'], string> {
  const digits = upperCase ? 'a-fA-F' : 'a-f'
  return createWideSchema(
    type,
    upperCase ? '<uuid>' : '<lowercase uuid>',
    `^${UUID_PATTERN.replaceAll('a-f', digits)}$`,
    (text: string) =>
      type.is(text) ? text : type.fromUuid((text as string).toLowerCase()),
    options,
  )
}

/**
 * Returns a zod codec between the opaque ids that clients see and the stored
 * ids: `z.decode` or `parse` for a request, `z.encode` for a response.
 *
 * @throws TypeError if zod is older than 4.1, the first version with codecs.
 * @example
 * const userIdSchema = opaqueIdSchema(opaqueIds(UserId, { keys }))
 * const body = z.object({ user_id: userIdSchema })
 * z.encode(body, { user_id: row.id }) // the opaque id of row.id
 */
export function opaqueIdSchema<T extends AnyIdType, O extends IdSchemaOptions>(
  { type, fromOpaque, toOpaque }: OpaqueIds<T>,
  options?: O,
): IdSchema<T['example'], InputOf<O, T['example']>> {
  const schema = idSchema<T, IdSchemaOptions>(type, options)
  const toFunction =
    (conversion: (id: string) => string) =>
    (input: string, { issues }: z.core.ParsePayload) => {
      try {
        return conversion(input)
      } catch (error) {
        const { expected } = error as TypedIdError
        issues.push({
          code: 'custom',
          input,
          // zod calls the option `error` of `inst` only for an issue without a
          // message, so this option removes the message.
          inst: schema,
          ...(!options?.error && { message: `Expected ${expected}` }),
        })
        return z.NEVER
      }
    }
  const codec = createCodec(
    schema,
    schema,
    toFunction(fromOpaque),
    toFunction(toOpaque),
  )
  if (codec) return codec
  throw new TypeError('opaqueIdSchema needs zod 4.1 or later')
}

/**
 * Returns a zod schema for the ids of all types of a registry. Its JSON Schema
 * is `anyOf` the schemas of the types. If the registry has aliases, the schema
 * is a codec that returns ids with the current prefix.
 *
 * @example
 * const ids = idRegistry([UserId, TeamId])
 * const target = registrySchema(ids).transform((id) => ids.parse(id))
 * target.parse(TeamId.example) // { type: 'team', id: 'team-0190163d-8694-739b-aea5-966c26f8ad91' }
 */
export function registrySchema<T extends AnyIdType, O extends IdSchemaOptions>(
  registry: IdRegistry<T, string>,
  options?: O,
): IdSchema<T['example'], InputOf<O, T['example']>> {
  return cached(registry, 'registry', options, () => {
    const { aliases, parse, types } = registry
    const forms = types.map(formOf).join(' or ')
    const create = (
      anyOf: readonly { readonly pattern: string }[],
      options?: O,
    ) =>
      createSchema(
        registry,
        forms,
        { pattern: undefined, type: undefined, anyOf },
        options,
        anyOf.map(({ pattern }) => pattern).join('|'),
      )
    const current = types.map((type) => ({
      type: 'string',
      ...describeType(type),
    }))
    const old = Object.entries(aliases).map(([alias, type]) => {
      const form = type.pattern.slice(type.prefix.length + 1)
      const start = type.prefix ? alias : `${alias}_`
      return { type: 'string', pattern: `^${start}${form}`, deprecated: true }
    })
    return old.length === 0
      ? create(current, options)
      : convert(
          create([...current, ...old], options),
          create(current),
          (id) => parse(id).id,
        )
  })
}

function createWideSchema(
  type: AnyIdType,
  form: string,
  pattern: string,
  toId: (text: string) => string,
  options?: IdSchemaOptions,
): IdSchema<never> {
  return cached(type, form, options, () => {
    const output = idSchema(type)
    const { 'x-brand': _, ...keywords } = describeType(type)
    const input = createSchema(
      type,
      `${formOf(type)} or ${form}`,
      {
        ...keywords,
        description: `${keywords.description} or \`${form}\``,
        pattern: `${type.pattern}|${pattern}`,
      },
      options,
    )
    return convert(input, output, toId)
  })
}

/**
 * Before version 4.1, zod has no codecs. This function then returns a pipe,
 * which cannot encode.
 */
function convert(
  input: z.ZodType,
  output: z.ZodType,
  toId: (text: string) => string,
): IdSchema<never> {
  return (
    createCodec(input, output, toId, (id) => id) ??
    (input.transform(toId as never).pipe(output as never) as never)
  )
}
