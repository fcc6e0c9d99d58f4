import type { IdType } from 'typed-id'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { Column, type ColumnOptions, type ColumnType } from 'typeorm'

/** Declares a column of ids. `column` is for messages, such as `users.team_id`. `type` is the type in the database. */
export function IdColumn(
  idType: IdType<string>,
  storage: IdStorage,
  column: string,
  options: ColumnOptions & { type: ColumnType },
): PropertyDecorator {
  if (storage !== 'text' && options.default !== undefined)
    throw new TypeError(`column ${column}: expected no default: insert and upsert return it unconverted`)
  const { toDatabase, fromDatabase } = idCodec(idType, storage, column)
  // Without RETURNING, as on SQLite, `save` reads the columns that the database generates, and converts ids twice.
  const from = (value: unknown) => (idType.is(value) ? value : fromDatabase(value))
  return Column({ ...options, transformer: { to: toDatabase, from } })
}
