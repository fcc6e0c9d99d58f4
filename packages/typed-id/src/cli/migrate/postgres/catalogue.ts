import type { Reference } from '../closure.ts'

/*
 * What the planner knows of a database. Names are quoted where SQL needs it, and table names have their schema.
 */

/** A column that is converted. */
export interface Column {
  readonly name: string
  readonly prefix: string
  readonly isNamed: boolean
  /** The type as PostgreSQL writes it: `uuid`, `text`, `character varying(36)`. */
  readonly type: string
  /** Null: that of the type. */
  readonly collation: string | null
  readonly notNull: boolean
  readonly identity: Identity | null
  /** The sequences that are dropped with the column. */
  readonly sequences: readonly string[]
  readonly hasGrants: boolean
  /** Of an identity column: `nextval(…)` */
  readonly default: string | null
  readonly comment: string | null
}

/** The sequence of an identity column. */
export interface Identity {
  readonly sequence: string
  /** As in CREATE SEQUENCE. */
  readonly options: string
  /** The owner of the table, and the other roles that may insert rows: a default needs rights that identity does not. */
  readonly owner: string
  readonly writers: readonly string[]
}

/** An index with a converted column. */
export interface Index {
  readonly name: string
  readonly schema: string
  readonly definition: string
  readonly method: string
  /** The columns of the table in its key, expressions and predicate. */
  readonly columns: readonly string[]
  /** The expressions and the predicate, or '' */
  readonly expressions: string
  /** p: primary key, u: unique, x: exclusion; null: not a constraint. */
  readonly constraint: 'p' | 'u' | 'x' | null
  readonly deferrable: string
  readonly isReplicaIdentity: boolean
}

export interface Check {
  readonly name: string
  readonly definition: string
  readonly expression: string
  /** The columns in the expression. */
  readonly columns: readonly string[]
  readonly isValid: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly primaryKey: readonly string[]
  readonly indexes: readonly Index[]
  /** The CHECK constraints on a converted column. */
  readonly checks: readonly Check[]
  /** Whether an update of a row fires a trigger of the application. */
  readonly firesOnUpdate: boolean
}

export interface ForeignKey extends Reference {
  readonly name: string
  /** As in ADD CONSTRAINT, without NOT VALID. */
  readonly definition: string
  readonly isValid: boolean
}

export interface Catalogue {
  readonly tables: readonly Table[]
  /** The foreign keys on a converted column. */
  readonly foreignKeys: readonly ForeignKey[]
}
