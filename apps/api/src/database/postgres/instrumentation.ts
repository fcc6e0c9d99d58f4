import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import type { DriverInstrumentation } from '../engine.ts'

export const instrumentation: DriverInstrumentation = {
  instrumentation: new PgInstrumentation({ requireParentSpan: true }),
  modules: [{ name: 'pg' }, { name: 'pg-pool', within: 'pg' }],
}
