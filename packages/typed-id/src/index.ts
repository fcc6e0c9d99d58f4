export type { AnyIdType } from './core/any-id.ts'
export {
  isTypedIdError,
  type SafeResult,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
} from './core/error.ts'
export { defineId } from './core/id-type.ts'
export type {
  Brand,
  CheckedPrefix,
  IdDefinition,
  IdGuard,
  IdOf,
  IdOptions,
  IdType,
  OtherId,
  ShortId,
  StandardIdIssue,
  StandardIdResult,
  StandardIdSchema,
  TypedId,
  UseParse,
  UseParseShort,
} from './core/types.ts'
export type { UuidSource } from './core/uuid-source.ts'
export { createUuidv7, type Uuidv7Options, uuidv7 } from './core/uuidv7.ts'
export { type Base62Id, fromBase62, toBase62 } from './forms/base62.ts'
export { correctId, parseLoose } from './forms/loose.ts'
export { fromUlid, toUlid, ulidTime } from './forms/ulid.ts'
export { idFromName } from './generate/name.ts'
export { uuidv4, uuidv7At } from './generate/random-uuid.ts'
export { firstIdAt, lastIdAt } from './generate/range.ts'
export { createUuidv7After } from './generate/uuidv7-after.ts'
export {
  type JsonSchemaConverter,
  type WithJsonSchema,
  withJsonSchema,
} from './json-schema.ts'
export {
  type IdRegistry,
  type IdSource,
  idRegistry,
  type RegistryOptions,
  type TaggedId,
} from './registry.ts'
