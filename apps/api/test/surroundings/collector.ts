import { createServer } from 'node:http'
import { listenLocally } from 'testkit/sockets.ts'

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * Starts an OpenTelemetry collector that stores the spans it receives (OTLP
 * over HTTP, JSON). Port 0 stands for any free port.
 */
export async function startCollector(chosenPort = 0) {
  const spans: Span[] = []
  const bodies: string[] = []
  const paths = new Set<string>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    paths.add(request.url ?? '')
    spans.push(...spansOf(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const port = await listenLocally(server, chosenPort)
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    bodies,
    paths,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface OtlpBody {
  resourceSpans: {
    scopeSpans: {
      spans: (Omit<Span, 'attributes'> & { attributes: Attribute[] })[]
    }[]
  }[]
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const spansOf = (body: string): Span[] =>
  (JSON.parse(body) as OtlpBody).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map((span) => ({
      ...span,
      attributes: Object.fromEntries(
        span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
      ),
    }))
