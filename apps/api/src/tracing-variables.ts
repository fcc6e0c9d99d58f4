import { readFileSync } from 'node:fs'
import { OperatorError } from './errors.ts'

type Env = Readonly<Record<string, string | undefined>>

const isReadable = (file: string) => {
  try {
    return readFileSync(file).length > 0
  } catch {
    return false
  }
}

const FILE = ['the path of a file that can be read', isReadable] as const
const PAIRS = [
  'key=value, separated by commas',
  (text: string) => /^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/.test(text),
] as const

/**
 * The service checks these variables, because OpenTelemetry would replace an
 * invalid value by a default.
 */
export const EXPORTER = {
  PROTOCOL: ['http/protobuf', (text: string) => text === 'http/protobuf'],
  ENDPOINT: [
    'an http:// or https:// URL',
    (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  ],
  HEADERS: PAIRS,
  TIMEOUT: ['milliseconds', (text: string) => /^[1-9]\d*$/.test(text)],
  COMPRESSION: ['gzip or none', (text: string) => /^(gzip|none)$/.test(text)],
  CERTIFICATE: FILE,
  CLIENT_CERTIFICATE: FILE,
  CLIENT_KEY: FILE,
} as const

export function readTracing(env: Env): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false
  const exporter = env.OTEL_TRACES_EXPORTER
  if (exporter === 'none') return false
  const expect = (name: string, expected: string, isValid: boolean) => {
    // The message does not quote the value, which can be a secret.
    if (!isValid) throw new OperatorError(`${name}: expected ${expected}`)
  }
  if (exporter !== undefined)
    expect('OTEL_TRACES_EXPORTER', 'otlp or none', exporter === 'otlp')
  const nameOf = (part: string) =>
    [`OTEL_EXPORTER_OTLP_TRACES_${part}`, `OTEL_EXPORTER_OTLP_${part}`].find(
      (name) => env[name] !== undefined,
    )
  if (exporter === undefined && nameOf('ENDPOINT') === undefined) return false
  for (const [part, [expected, isValid]] of Object.entries(EXPORTER)) {
    const name = nameOf(part)
    if (name) expect(name, expected, isValid(env[name] ?? ''))
  }
  const attributes = env.OTEL_RESOURCE_ATTRIBUTES
  if (attributes !== undefined)
    expect('OTEL_RESOURCE_ATTRIBUTES', PAIRS[0], PAIRS[1](attributes))
  return true
}
