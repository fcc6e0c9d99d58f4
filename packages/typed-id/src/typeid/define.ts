import { readSuffix, writeUuid } from '../core/conversions.ts'
import { createFailure, type SafeResult } from '../core/error.ts'
import { SUFFIX_PATTERN, startOf } from '../core/grammar.ts'
import { defineId } from '../core/id-type.ts'
import { createStandardSchema } from '../core/standard-schema.ts'
import type { IdOptions, IdType, TypedId } from '../core/types.ts'
import { checkPrefix, invalidTypeId } from './grammar.ts'
import type { CheckedTypeIdPrefix, TypeId, TypeIdType } from './types.ts'

/**
 * Defines a type of TypeIDs by its prefix (TypeID 0.3): at most 63 letters a to
 * z and underscores, of which the first and the last are letters. The TypeIDs
 * of the prefix '' are a suffix alone.
 *
 * @throws TypedIdError `invalid_prefix`. An invalid string literal does not
 * compile.
 * @see https://github.com/jetify-com/typeid/tree/main/spec
 * @example
 * const LineId = defineTypeId('order_line')
 * LineId.generate() // 'order_line_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function defineTypeId<const P extends string>(
  prefix: CheckedTypeIdPrefix<P>,
  options: IdOptions = {},
): TypeIdType<P> {
  type Id = TypeId<P>
  const start = startOf(checkPrefix(prefix))

  const is = (value: unknown): value is Id => readSuffix(value, start)
  const reject = (value: unknown): never => {
    throw invalidTypeId(prefix, value)
  }
  const safeParse = (value: unknown): SafeResult<Id> =>
    is(value)
      ? { success: true, data: value }
      : createFailure(() => invalidTypeId(prefix, value))

  const carrier = defineId('id', options)
  type CarrierId = TypedId<'id'>
  const toCarrier = (id: Id) =>
    is(id) ? (`id-${writeUuid()}` as CarrierId) : reject(id)
  const fromCarrier = (id: CarrierId) =>
    carrier.toShort(id).replace('id_', start) as Id

  return Object.freeze<TypeIdType<P>>({
    prefix: prefix as P,
    pattern: `^${start}${SUFFIX_PATTERN}$`,
    example: fromCarrier(carrier.example),

    generate: () => fromCarrier(carrier.generate()),
    generateMany: (count) => carrier.generateMany(count).map(fromCarrier),

    is: is as TypeIdType<P>['is'],
    parse: (value) => (is(value) ? value : reject(value)),
    safeParse,

    toUuid: (id) => (is(id) ? writeUuid() : reject(id)),
    fromUuid: (uuid) => fromCarrier(carrier.fromUuid(uuid)),
    toBytes: (id) => carrier.toBytes(toCarrier(id)),
    fromBytes: (bytes) => fromCarrier(carrier.fromBytes(bytes)),
    timestamp: (id) => carrier.timestamp(toCarrier(id)),
    version: (id) => carrier.version(toCarrier(id)),

    '~standard': createStandardSchema(safeParse),
  })
}

/**
 * Converts a standard id to its short form, a TypeID.
 *
 * @throws TypedIdError as `parse` does; `invalid_prefix` when the prefix of the
 * type has digits or uppercase letters. The compiler also rejects such a
 * prefix, if the type of the prefix is a string literal.
 * @example
 * toTypeId(UserId, id) // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function toTypeId<P extends string>(
  type: IdType<P> & { readonly prefix: CheckedTypeIdPrefix<P> },
  id: TypedId<NoInfer<P>>,
): TypeId<P> {
  checkPrefix(type.prefix)
  return type.toShort(id)
}

/**
 * Returns the standard form of a TypeID.
 *
 * @throws TypedIdError `not_a_string`, `wrong_type` or `malformed_short`.
 * @example
 * fromTypeId(UserId, UserTypeId.parse('user_01j0b3v1mmeedtx9cpdgkfhbch')) // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function fromTypeId<P extends string>(
  type: IdType<P>,
  id: TypeId<NoInfer<P>>,
): TypedId<P> {
  return type.fromShort(id)
}
