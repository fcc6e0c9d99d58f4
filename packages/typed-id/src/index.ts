export {
  fail as createFailure,
  isTypedIdError,
  type SafeResult,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
} from './error.ts'
export { defineId } from './id-type.ts'
export { uuidv4 } from './random-uuid.ts'
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
export { setUuidSource, type UuidSource } from './uuid-source.ts'
export { createUuidv7, createUuidv7After, type Uuidv7Options, uuidv7, uuidv7At } from './uuidv7.ts'
