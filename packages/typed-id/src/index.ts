export {
  type SafeResult,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
} from './error.ts'
export {
  type CheckedPrefix,
  defineId,
  type GenerateOptions,
  type IdOf,
  type IdOptions,
  type IdType,
  type ShortId,
  type StandardIdResult,
  type StandardIdSchema,
  type TypedId,
} from './id-type.ts'
export { type IdRegistry, idRegistry, type TaggedId } from './registry.ts'
export { createUuidv7, type UuidSource, type Uuidv7Options, uuidv4, uuidv7 } from './uuid.ts'
