import { readConfig } from '../../src/composition/config.ts'
import { parseDatabaseUrl } from '../../src/composition/variables.ts'
import type { ConnectionOptions, DatabaseOptions } from '../../src/database/engine.ts'

/** Returns the options of a database at a URL: the defaults of the service, replaced by `options`. */
export const databaseAt = (url: string, options: Partial<ConnectionOptions> = {}): DatabaseOptions => ({
  ...readConfig({}, '/').database,
  ...parseDatabaseUrl('url', url, '/'),
  ...options,
})
