export {
  isTypedIdError,
  type SafeResult,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
} from './core/error.ts'
export { defineId } from './core/id-type.ts'
export { uuidv4, uuidv7At } from './core/random-uuid.ts'
export { type IdRegistry, idRegistry, type RegistryOptions, type TaggedId } from './core/registry.ts'
export type {
  CheckedPrefix,
  IdDefinition,
  IdOf,
  IdOptions,
  IdType,
  ShortId,
  StandardIdResult,
  StandardIdSchema,
  TypedId,
  UseParse,
} from './core/types.ts'
export type { UuidSource } from './core/uuid-source.ts'
export { createUuidv7, createUuidv7After, type Uuidv7Options, uuidv7 } from './core/uuidv7.ts'
