import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'

/** OpenTelemetry instrumentations of the database drivers: a span for each query that belongs to a request. */
export const databaseInstrumentations = () => [new PgInstrumentation({ requireParentSpan: true })]

/** Modules that the instrumentations patch when they are loaded by `require`, each with the module that requires it. */
export const instrumentedModules: readonly { name: string; within?: string }[] = [
  { name: 'pg' },
  { name: 'pg-pool', within: 'pg' },
]
