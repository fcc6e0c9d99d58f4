import type { Instrumentation } from '@opentelemetry/instrumentation'
import type { Database } from './database.ts'

/** A kind of database. Each engine has a folder beside this file; `config.ts` lists them. */
export interface Engine {
  /** Describes the URLs that the engine opens, for error messages. */
  readonly urlForms: string
  /** Returns the URL with a relative path resolved against `root`, or undefined for the URL of another engine. */
  parseUrl(url: string, root: string): string | undefined
  open(url: string, options: ConnectionOptions): Promise<Database>
  /**
   * Copies the database into a new file while services use it, and returns the size of the file in bytes.
   * @throws OperatorError when the engine has its own tool for backups.
   */
  backup(url: string, file: string, options: BackupOptions): Promise<number>
  /** Loads the instrumentation that traces the driver's queries. Undefined for an engine without spans. */
  loadInstrumentation?(): Promise<DriverInstrumentation>
}

export interface BackupOptions {
  /** Stops the backup. */
  readonly signal: AbortSignal
  readonly onProgress: (progress: { phase: string; done: number; total: number }) => void
}

/** Creates a span for each query that belongs to a request. */
export interface DriverInstrumentation {
  readonly instrumentation: Instrumentation
  /** Modules that the instrumentation patches when `require` loads them, each with the module that requires it. */
  readonly modules: readonly { readonly name: string; readonly within?: string }[]
}

export interface ConnectionOptions {
  /** Maximum number of connections that this process holds. */
  readonly poolSize: number
  /** Maximum time to wait for a connection, in milliseconds. */
  readonly connectTimeoutMs: number
  /** Maximum duration of one statement and of an idle transaction, in milliseconds. */
  readonly statementTimeoutMs: number
  /** The last migration that this process knows: see `assertNoOtherVersion`. */
  readonly lastMigration?: string | undefined
}

/** Where a database is, and how to connect to it. */
export interface DatabaseOptions extends ConnectionOptions {
  readonly engine: Engine
  readonly url: string
}
