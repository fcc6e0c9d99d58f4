import type { IdType, TypedId } from '../core/types.ts'
import { checkPrefix } from './grammar.ts'
import type { CheckedTypeIdPrefix, TypeId } from './types.ts'

/**
 * Returns the TypeID for an id of a type that `defineId` has defined. It is the short form.
 *
 * @throws TypedIdError as `parse` does; `invalid_prefix` when the prefix of the type has digits or uppercase letters,
 * which TypeID does not allow. Such a type does not compile.
 * @example
 * toTypeId(UserId, id) // 'user_01j0b3v1mmeedtx9cpdgkfhbch'
 */
export function toTypeId<P extends string>(
  type: IdType<P> & { readonly prefix: CheckedTypeIdPrefix<P> },
  id: TypedId<NoInfer<P>>,
): TypeId<P> {
  checkPrefix(type.prefix)
  return type.toShort(id) as string as TypeId<P>
}

/**
 * Returns the id of a type that `defineId` has defined for a TypeID.
 *
 * @throws TypedIdError `not_a_string`, `wrong_type` or `malformed_short`.
 * @example
 * fromTypeId(UserId, UserTypeId.parse('user_01j0b3v1mmeedtx9cpdgkfhbch')) // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 */
export function fromTypeId<P extends string>(type: IdType<P>, id: TypeId<NoInfer<P>>): TypedId<P> {
  return type.fromShort(id)
}
