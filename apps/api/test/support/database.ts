import { readConfig } from '../../src/config/config.ts'
import { parseDatabaseUrl } from '../../src/config/variables.ts'
import type { ConnectionOptions, DatabaseOptions } from '../../src/database/engine.ts'

/** The options of a database at a URL: the service's defaults, replaced by those given. */
export const databaseAt = (url: string, options: Partial<ConnectionOptions> = {}): DatabaseOptions => ({
  ...readConfig({}, '/').database,
  ...parseDatabaseUrl('url', url, '/'),
  ...options,
})
