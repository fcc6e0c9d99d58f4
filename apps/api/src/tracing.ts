import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { NodeSDK } from '@opentelemetry/sdk-node'
import type { Exchange } from './http/mount.ts'

export interface Tracing {
  /** Names the span of the request that is being answered. */
  observe(exchange: Exchange): void
  /** Sends the last spans, or gives up. */
  close(): Promise<void>
}

/** Asked for all the time, and no work. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

/** Sends spans of requests and of the queries that they make, to where the OTEL_ variables say. */
export function startTracing(): Tracing {
  const sdk = new NodeSDK({
    // What the variables say of the resource goes over this.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'typed-id-api' })),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        disableOutgoingRequestInstrumentation: true,
        ignoreIncomingRequestHook: ({ url = '' }) => UNTRACED.has(url),
        // As in the log: a path can hold anything.
        startIncomingSpanHook: () => ({ 'url.path': undefined, 'url.query': undefined }),
      }),
      new PgInstrumentation({ requireParentSpan: true }),
    ],
  })
  sdk.start()
  patch()
  return {
    observe({ method, route }) {
      if (route !== null)
        trace.getActiveSpan()?.setAttribute('http.route', route).updateName(`${method} ${route}`)
    },
    // A collector that is away is waited for as long as OTEL_EXPORTER_OTLP_TIMEOUT says, 10 seconds unless it does.
    close: () => sdk.shutdown().catch(() => {}),
  }
}

/**
 * Modules are patched when they are required. Ours are imported, which shares the prototypes that are patched, and is
 * not seen.
 */
function patch(): void {
  const require = createRequire(import.meta.url)
  for (const name of ['http', 'pg']) require(name)
  createRequire(require.resolve('pg'))('pg-pool')
}
