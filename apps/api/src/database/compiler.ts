import { type DatabaseConnection, type Dialect, DummyDriver, Kysely } from 'kysely'

/** Returns a Kysely that compiles queries in the dialect of `parts` and throws when one is executed. */
export const createCompiler = (parts: Omit<Dialect, 'createDriver'>): Kysely<unknown> =>
  new Kysely({ dialect: { ...parts, createDriver: () => new CompilingDriver() } })

class CompilingDriver extends DummyDriver {
  // Resolves: SQLite's adapter allows one connection at a time, and a rejection would block the next one forever.
  override async acquireConnection() {
    return CONNECTION
  }
}

const reject = (): never => {
  throw new Error('this builder only compiles queries: run them with queriesOn() and db.execute()')
}

const CONNECTION: DatabaseConnection = { executeQuery: async () => reject(), streamQuery: reject }
