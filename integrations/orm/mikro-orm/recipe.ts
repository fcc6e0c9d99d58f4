import { Type } from '@mikro-orm/core'
import type { IdType, TypedId } from 'typed-id'
import { type IdCodec, type IdStorage, idCodec } from 'typed-id/codec'

/** The type of a property with ids. `column` is the name in error messages, such as `users.team_id`. */
export class IdOfType<P extends string> extends Type<TypedId<P> | null, string | Uint8Array | null> {
  private readonly codec: IdCodec<P, IdStorage>
  private readonly storage: IdStorage
  /** Parses the ids of a cursor. Without this method, MikroORM would convert them like stored ids. */
  override fromJSON: (value: unknown) => TypedId<P>
  constructor(type: IdType<P>, storage: IdStorage, column: string) {
    super()
    this.codec = idCodec(type, storage, column)
    this.storage = storage
    this.fromJSON = type.parse
  }
  override convertToDatabaseValue = (id: TypedId<P> | null) => this.codec.toDatabase(id)
  override convertToJSValue = (value: string | Uint8Array | null) => this.codec.fromDatabase(value)
  override compareAsType = () => (this.storage === 'bytes' ? 'buffer' : 'string')
  override getColumnType = () => ({ text: 'text', uuid: 'uuid', bytes: 'binary(16)' })[this.storage]
}
