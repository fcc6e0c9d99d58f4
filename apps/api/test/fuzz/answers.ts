/** One answer as it came over the wire, its body a text of one character a byte. */
export interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x20-\x7e]*)$/

/**
 * The answers in what a connection has received, in order, without the interim ones. Throws for anything that is not
 * well formed by RFC 9112, a torn or unannounced body included, unless its end may be lost. `method` is that of the
 * first request.
 */
export function answersIn(received: string, method: string | undefined, isCut: boolean): Answer[] {
  const answers: Answer[] = []
  try {
    for (const answer of read(received, method)) answers.push(answer)
  } catch (error) {
    if (!isCut) throw error
  }
  return answers
}

function* read(received: string, method: string | undefined): Iterable<Answer> {
  let isFirst = true
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`a torn head: ${JSON.stringify(rest.slice(0, 200))}`)
    const { status, headers } = headOf(rest.slice(0, end))
    rest = rest.slice(end + 4)
    if (status === 100) continue
    const isBodiless = status === 204 || status === 304 || (isFirst && method === 'HEAD')
    const { body, length } = isBodiless ? { body: '', length: 0 } : bodyOf(rest, headers)
    rest = rest.slice(length)
    yield { status, headers, body }
    isFirst = false
  }
}

function headOf(text: string): Pick<Answer, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status] = STATUS_LINE.exec(first) ?? []
  if (status === undefined) throw new Error(`a status line ${JSON.stringify(first.slice(0, 200))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === undefined) throw new Error(`a header line ${JSON.stringify(line)}`)
    if (headers.has(name.toLowerCase())) throw new Error(`two headers ${name}`)
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(status), headers }
}

/** The body at the start of a text, and how much of the text it takes. */
function bodyOf(text: string, headers: Answer['headers']): { body: string; length: number } {
  if (headers.get('transfer-encoding') === 'chunked') return chunkedBodyOf(text)
  const announced = headers.get('content-length')
  // Without a length it ends with the connection, which is right for nothing that we answer but an empty refusal.
  const length = announced === undefined ? text.length : Number(announced)
  if (length > text.length) throw new Error(`a body of ${text.length} bytes where ${length} are announced`)
  return { body: text.slice(0, length), length }
}

function chunkedBodyOf(text: string): { body: string; length: number } {
  const line = /([0-9a-f]+)\r\n/iy
  let body = ''
  for (let at = 0; ; ) {
    line.lastIndex = at
    const [head, size = ''] = line.exec(text) ?? []
    if (head === undefined) throw new Error(`no chunk at ${JSON.stringify(text.slice(at, at + 40))}`)
    const start = at + head.length
    at = start + Number.parseInt(size, 16)
    if (text.slice(at, at + 2) !== '\r\n') throw new Error('a torn chunk')
    body += text.slice(start, at)
    at += 2
    if (size === '0') return { body, length: at }
  }
}
