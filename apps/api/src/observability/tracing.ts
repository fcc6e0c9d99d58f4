import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  setGlobalErrorHandler,
  W3CTraceContextPropagator,
} from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg'
import {
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import { HEALTH_CHECKS } from '../server/health.ts'
import type { CompletedRequest } from '../server/log-requests.ts'

const UNTRACED = new Set([...HEALTH_CHECKS, '/metrics'])

const CLOSE_TIMEOUT_MS = 2000

export function startTracing(log: Logger) {
  const warn = (...parts: unknown[]) => {
    const reason = parts.filter((part) => typeof part === 'string').join(' ')
    log.warn({ reason }, 'tracing warning')
  }
  const ignore = () => {}
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    DiagLogLevel.WARN,
  )
  const onError = (err: unknown) => log.warn({ err }, 'traces cannot be sent')
  setGlobalErrorHandler(onError)
  const resource = resourceFromAttributes({
    'service.name': 'typed-id-api',
  }).merge(detectResources({ detectors: [envDetector] }))
  const exporter = new OTLPTraceExporter()
  const provider = new TracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  // The constructor activates the instrumentation.
  new HttpInstrumentation({
    ignoreIncomingRequestHook: ({ url = '' }) =>
      UNTRACED.has(url.split('?', 1)[0]),
    // Omits the path and the query, which can contain secrets.
    startIncomingSpanHook: () => ({
      'url.path': undefined,
      'url.query': undefined,
    }),
  })
  new PgInstrumentation({ requireParentSpan: true })
  // OpenTelemetry patches a module only when `require` loads the module. The
  // patches change prototypes, so they also affect code that uses `import`.
  const require = createRequire(import.meta.url)
  for (const name of ['node:http', 'pg']) require(name)
  return {
    onResponse({ method, route }: CompletedRequest) {
      if (route !== null)
        trace
          .getActiveSpan()
          ?.setAttribute('http.route', route)
          .updateName(`${method} ${route}`)
    },
    close: () =>
      Promise.race([
        provider.shutdown().catch(onError),
        pause(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
      ]),
  }
}
