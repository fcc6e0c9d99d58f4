import { createFailure, defineId, type IdOptions } from '../index.ts'
import {
  Carrier,
  carrierToSuffix,
  checkPrefix,
  invalidTypeId,
  SUFFIX_PATTERN,
  startOf,
  suffixToCarrier,
} from './grammar.ts'
import type { CheckedTypeIdPrefix, StandardTypeIdSchema, TypeId, TypeIdType } from './types.ts'

/**
 * Defines a type of TypeIDs by its prefix, with the whole grammar of TypeID 0.3: at most 63 letters a to z and
 * underscores, of which the first and the last are letters. The TypeIDs of the prefix '' are a suffix alone.
 *
 * The text of an id is the TypeID itself. Its functions are those of `defineId`, without the second form.
 *
 * @throws TypedIdError `invalid_prefix`. An invalid string literal does not compile.
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
  const pattern = `^${start}${SUFFIX_PATTERN}$`
  const regexp = new RegExp(pattern)
  const source = defineId('id', options)

  const is = (value: unknown): value is Id => typeof value === 'string' && regexp.test(value)
  const parse = (value: unknown): Id => {
    if (is(value)) return value
    throw invalidTypeId(prefix, value)
  }
  const fail = (value: unknown) => createFailure(() => invalidTypeId(prefix, value))

  type CarrierId = typeof Carrier.example
  const toCarrier = (id: Id) => suffixToCarrier(parse(id).slice(start.length))
  const fromCarrier = (id: CarrierId) => (start + carrierToSuffix(id)) as Id

  return Object.freeze<TypeIdType<P>>({
    prefix: prefix as P,
    pattern,
    example: fromCarrier(Carrier.example),

    generate: () => fromCarrier(source.generate()),
    generateMany: (count) => source.generateMany(count).map(fromCarrier),

    is,
    parse,
    safeParse: (value) => (is(value) ? { success: true, data: value } : fail(value)),

    toUuid: (id) => Carrier.toUuid(toCarrier(id)),
    fromUuid: (uuid) => fromCarrier(Carrier.fromUuid(uuid)),
    toBytes: (id) => Carrier.toBytes(toCarrier(id)),
    fromBytes: (bytes) => fromCarrier(Carrier.fromBytes(bytes)),
    timestamp: (id) => Carrier.timestamp(toCarrier(id)),

    '~standard': Object.freeze<StandardTypeIdSchema<Id>>({
      version: 1,
      vendor: 'typed-id',
      validate: (value) => (is(value) ? { value } : { issues: [fail(value).error] }),
    }),
  })
}
