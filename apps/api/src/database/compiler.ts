import {
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryCompiler,
} from 'kysely'

/** The parts of a Kysely dialect that need no connection. */
interface CompilerParts {
  createAdapter(): DialectAdapter
  createQueryCompiler(): QueryCompiler
  // biome-ignore lint/suspicious/noExplicitAny: Kysely's own signature.
  createIntrospector(db: Kysely<any>): DatabaseIntrospector
}

/** Returns a Kysely that compiles queries and throws when one is executed. */
export function createCompiler(parts: CompilerParts): Kysely<unknown> {
  const dialect: Dialect = {
    createAdapter: () => parts.createAdapter(),
    createQueryCompiler: () => parts.createQueryCompiler(),
    createIntrospector: (db) => parts.createIntrospector(db),
    createDriver: () => NO_CONNECTION,
  }
  return new Kysely({ dialect })
}

const reject = async (): Promise<never> => {
  throw new Error('this builder only compiles queries: run them with queriesOn() and db.execute()')
}

const CONNECTION: DatabaseConnection = {
  executeQuery: reject,
  // biome-ignore lint/correctness/useYield: it throws instead of yielding.
  async *streamQuery() {
    await reject()
  },
}

const NO_CONNECTION: Driver = {
  async init() {},
  // Resolves: SQLite's adapter allows one connection at a time, and a rejection would block the next one forever.
  acquireConnection: async () => CONNECTION,
  beginTransaction: reject,
  commitTransaction: reject,
  rollbackTransaction: reject,
  async releaseConnection() {},
  async destroy() {},
}
