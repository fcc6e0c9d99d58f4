import type { IdType } from '../../index.ts'

/** The SQL of one engine. Each function returns a file that can be run any number of times. */
export interface Dialect {
  create(types: readonly IdType<string>[]): string
  /** Returns the statements that remove everything that `create` has created. */
  drop(types: readonly IdType<string>[]): string
}
