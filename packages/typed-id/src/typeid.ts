export { defineTypeId, fromTypeId, toTypeId } from './typeid/define.ts'
export {
  fromString,
  fromUUID,
  fromUUIDBytes,
  getSuffix,
  getType,
  parseTypeId,
  TypeID,
  toUUID,
  toUUIDBytes,
  typeid,
  typeidUnboxed,
} from './typeid/typeid-js.ts'
export type { CheckedTypeIdPrefix, TypeId, TypeIdType } from './typeid/types.ts'
