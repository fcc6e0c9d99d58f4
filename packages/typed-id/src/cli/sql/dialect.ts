import type { IdType } from '../../core/types.ts'

/** The SQL of one engine. Each function returns a file that can be run any number of times. */
export interface Dialect {
  create(types: readonly IdType<string>[]): string
  /** Returns the statements that remove everything that `create` has created. */
  drop(types: readonly IdType<string>[]): string
}

/** Returns the first line of the file, a comment with the command that prints the file. */
export function describeCommand(engine: string, types: readonly IdType<string>[], drop = ''): string {
  return `-- Printed by: typed-id sql ${engine} --types ${types.map(({ prefix }) => prefix).join(',')}${drop}`
}
