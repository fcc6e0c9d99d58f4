import { TypedIdError } from '../index.ts'
import type { Reader, Writer } from './form.ts'
import { progressOn } from './progress.ts'

export interface Terminal {
  readonly version: string
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
  readonly colour: boolean
}

/** A writable stream, as far as it is needed. */
export interface Output {
  readonly isTTY?: boolean
  write(text: string, encoding: BufferEncoding, done: (error?: Error | null) => void): unknown
}

/** Longer than any id (101 characters), so that a line without end takes no more memory than this. */
const LONG_LINE = 1000

/**
 * Passes each line of the input through `read` and `write`; bad lines are named on stderr and left out.
 * Memory stays constant: a chunk is written out before the next one is read.
 *
 * @returns the exit code: 1 when any line was bad.
 */
export async function filter(
  { stdout, stderr }: Terminal,
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  read: Reader,
  write: Writer,
): Promise<number> {
  const progress = progressOn(stderr, stdout)
  let lines = 0
  let bad = 0

  async function pass(chunk: string[]): Promise<void> {
    let good = ''
    let complaints = ''
    for (const line of chunk) {
      lines++
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      const found = read(text)
      if (found instanceof TypedIdError) {
        bad++
        complaints += `line ${lines}: ${reasonFor(text, found, read)}\n`
      } else {
        good += write(found)
      }
    }
    await put(stdout, good)
    await put(stderr, progress.after(lines, complaints))
  }

  let rest = ''
  for await (const bytes of input) {
    const chunk = (rest + latin1(bytes)).split('\n')
    rest = (chunk.pop() as string).slice(0, LONG_LINE)
    await pass(chunk)
  }
  if (rest !== '') await pass([rest])
  await put(stderr, progress.end(bad > 0 ? `${bad} of ${lines} lines refused\n` : ''))
  return bad > 0 ? 1 : 0
}

/** Waits until the text is out, so that a slow reader slows us down and a gone one (EPIPE) stops us. */
export function put(stream: Output, text: string): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, 'utf8', (error) => (error ? reject(error) : resolve()))
  })
}

/** Ids are ASCII, so a byte is taken for a character, which is several times as fast as UTF-8. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

/** A bad line is shown as the UTF-8 that it was. */
function reasonFor(line: string, error: TypedIdError, read: Reader): string {
  if (line.length >= LONG_LINE) return `Longer than any id: ${JSON.stringify(line.slice(0, 80))}…`
  const text = Buffer.from(line, 'latin1').toString()
  return text === line ? error.message : (read(text) as TypedIdError).message
}
