import { OperatorError } from '../../errors.ts'
import type { Engine } from '../engine.ts'
import { openPostgres } from './open.ts'

let isTraced = false

export const postgres: Engine = {
  urlForms: 'postgres://user:password@host:port/name',
  parseUrl: (url) => (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url) ? url : undefined),
  open: (url, options) => openPostgres(url, { ...options, isTraced }),
  // Imports the module only when spans are sent, because it loads a large package.
  async loadInstrumentation() {
    isTraced = true
    return (await import('./instrumentation.ts')).instrumentation
  },
  async backup() {
    throw new OperatorError(
      'DATABASE_URL is a PostgreSQL server: back it up with pg_dump --format=custom --file=FILE URL',
    )
  },
}
