import { createRequire } from 'node:module'
import { trace } from '@opentelemetry/api'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { databaseInstrumentations, instrumentedModules } from '../database/instrumentation.ts'
import type { OnResponse } from '../http/mount.ts'

export interface Tracing {
  /** Names the active span after the route of the request. */
  readonly onResponse: OnResponse
  /** Sends the last spans. Gives up when the collector does not respond. */
  close(): Promise<void>
}

/** Paths that are polled all the time. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics'])

/** Sends spans of requests and of their queries to the collector that the OTEL_ variables name. */
export function startTracing(): Tracing {
  const sdk = new NodeSDK({
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME override these attributes.
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': 'typed-id-api' })),
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: [
      new HttpInstrumentation({
        disableOutgoingRequestInstrumentation: true,
        ignoreIncomingRequestHook: ({ url = '' }) => UNTRACED.has(url),
        // No paths, as in the log: a path can contain anything.
        startIncomingSpanHook: () => ({ 'url.path': undefined, 'url.query': undefined }),
      }),
      ...databaseInstrumentations(),
    ],
  })
  sdk.start()
  patchModules()
  return {
    onResponse({ method, route }) {
      if (route !== null)
        trace.getActiveSpan()?.setAttribute('http.route', route).updateName(`${method} ${route}`)
    },
    // Waits for OTEL_EXPORTER_OTLP_TIMEOUT, 10 seconds by default, when the collector does not respond.
    close: () => sdk.shutdown().catch(() => {}),
  }
}

/**
 * Loads the instrumented modules by `require`, which is what patches them. The service imports them as ES modules,
 * which does not trigger the patch but shares the patched prototypes.
 */
function patchModules(): void {
  const require = createRequire(import.meta.url)
  for (const { name, within } of [{ name: 'http', within: undefined }, ...instrumentedModules]) {
    const requireFrom = within === undefined ? require : createRequire(require.resolve(within))
    requireFrom(name)
  }
}
