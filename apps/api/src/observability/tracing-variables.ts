import { getStringFromEnv } from '@opentelemetry/core'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  type Sampler,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import { OperatorError } from '../errors.ts'

/*
 * Reads the variables of the OpenTelemetry specification that the trace SDK leaves to its caller. The package sdk-node
 * would read all of them, but also installs exporters of logs and metrics, gRPC and Zipkin: 46 packages, 16 MB. The
 * exporters read the other OTEL_EXPORTER_OTLP_ variables themselves.
 */

/** Samplers by the values of OTEL_TRACES_SAMPLER. */
const SAMPLERS: Readonly<Record<string, () => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: () => new TraceIdRatioBasedSampler(ratio()),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: () => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio()) }),
}

/** Exporters by the values of OTEL_EXPORTER_OTLP_PROTOCOL. */
const OTLP_EXPORTERS: Readonly<Record<string, () => SpanExporter>> = {
  'http/protobuf': () => new ProtobufExporter(),
  'http/json': () => new JsonExporter(),
}

/** Span processors by the values of OTEL_TRACES_EXPORTER. */
const SPAN_PROCESSORS: Readonly<Record<string, () => (wrap: Wrap) => SpanProcessor>> = {
  otlp: () => (wrap) => new BatchSpanProcessor({ ...batchOptions(), exporter: wrap(createOtlpExporter()) }),
  console: () => () => new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() }),
}

/** Returns an exporter that wraps the given exporter. */
type Wrap = (exporter: SpanExporter) => SpanExporter

const ratio = (): number => readNumber('OTEL_TRACES_SAMPLER_ARG', 0, 1) ?? 1

/** Throws for an invalid number. The SDK's own function ignores it, so a misspelt ratio would sample every trace. */
function readNumber(name: string, min: number, max = Number.POSITIVE_INFINITY): number | undefined {
  const text = getStringFromEnv(name)
  if (text === undefined) return undefined
  const value = Number(text)
  if (value >= min && value <= max) return value
  const range = Number.isFinite(max) ? `from ${min} to ${max}` : `from ${min}`
  throw new OperatorError(`${name}: expected a number ${range}, received ${JSON.stringify(text)}`)
}

/** Returns the sampler that the variables name. With undefined, the SDK samples every trace whose parent is sampled. */
export function createSampler(): Sampler | undefined {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER')
  return name === undefined ? undefined : choose('OTEL_TRACES_SAMPLER', name, SAMPLERS)
}

export function createSpanProcessor(wrap: Wrap): SpanProcessor {
  const name = getStringFromEnv('OTEL_TRACES_EXPORTER') ?? 'otlp'
  return choose('OTEL_TRACES_EXPORTER', name, SPAN_PROCESSORS)(wrap)
}

function createOtlpExporter(): SpanExporter {
  const [general, specific] = ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL']
  const name = getStringFromEnv(specific) === undefined ? general : specific
  return choose(name, getStringFromEnv(name) ?? 'http/protobuf', OTLP_EXPORTERS)
}

function batchOptions() {
  const options = {
    maxQueueSize: readNumber('OTEL_BSP_MAX_QUEUE_SIZE', 1),
    scheduledDelayMillis: readNumber('OTEL_BSP_SCHEDULE_DELAY', 0),
    exportTimeoutMillis: readNumber('OTEL_BSP_EXPORT_TIMEOUT', 0),
    maxExportBatchSize: readNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 1),
  }
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function choose<T>(variable: string, name: string, choices: Readonly<Record<string, () => T>>): T {
  const create = Object.hasOwn(choices, name) ? choices[name] : undefined
  if (create) return create()
  throw new OperatorError(
    `${variable}: expected one of ${Object.keys(choices).join(', ')}, received ${JSON.stringify(name)}`,
  )
}
