import { readConfig } from '../../src/config.ts'
import type { DatabaseOptions } from '../../src/database/engine.ts'

/** Returns the options of a database at a URL: the defaults of the service, replaced by `options`. */
export const databaseAt = (url: string, options: Partial<DatabaseOptions> = {}): DatabaseOptions => ({
  ...readConfig({}, '/').database,
  url,
  readUrl: () => url,
  ...options,
})
