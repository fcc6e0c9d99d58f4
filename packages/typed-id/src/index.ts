export {
  fail as createFailure,
  isTypedIdError,
  type SafeResult,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
} from './error.ts'
export { defineId } from './id-type.ts'
export { type IdRegistry, idRegistry, type RegistryOptions, type TaggedId } from './registry.ts'
export type {
  CheckedPrefix,
  IdOf,
  IdOptions,
  IdType,
  ShortId,
  StandardIdResult,
  StandardIdSchema,
  TypedId,
} from './types.ts'
export {
  createUuidv7,
  createUuidv7After,
  setUuidSource,
  type UuidSource,
  type Uuidv7Options,
  uuidv4,
  uuidv7,
  uuidv7At,
} from './uuid.ts'
