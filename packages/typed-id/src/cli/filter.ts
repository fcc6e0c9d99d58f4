import { TypedIdError } from '../core/error.ts'
import {
  type Found,
  type Reader,
  toTypedIdError,
  type Writer,
} from './found.ts'
import { decodeLatin1, escapeText, put, type Terminal } from './terminal.ts'

/**
 * Longer lines are cut, so input without line breaks takes constant memory. The
 * longest id has 100 characters.
 */
const MAX_LINE = 1000

/**
 * The input in bytes. `unit` names one line of it in messages: an argument is
 * one line, too.
 */
export interface Input {
  readonly unit: 'line' | 'argument'
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Converts each line of the input with `read` and `write`. Invalid lines are
 * reported on stderr and left out of the output. Blank lines are ignored.
 * Memory is constant: the result of a chunk is written before the next chunk is
 * read.
 *
 * @returns the exit code: 1 if any line was invalid, otherwise 0.
 */
export async function filter(
  { stdout, stderr }: Terminal,
  { unit, bytes: input }: Input,
  read: Reader,
  write: Writer,
): Promise<number> {
  let lines = 0
  let invalid = 0

  async function convert(chunk: string[]): Promise<void> {
    let output = ''
    let errors = ''
    for (const line of chunk) {
      lines++
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      // MAX_LINE cuts longer lines, so a blank start may continue.
      if (text.length < MAX_LINE && /^[\t ]*$/.test(text)) continue
      const found = read(text)
      const written =
        found instanceof TypedIdError ? found : tryWrite(write, found)
      if (written instanceof TypedIdError) {
        invalid++
        errors += `${unit} ${lines}: ${describeError(text, written, read)}\n`
      } else {
        output += written
      }
    }
    await put(stdout, output)
    await put(stderr, errors)
  }

  let rest = ''
  for await (const bytes of input) {
    const chunk = (rest + decodeLatin1(bytes)).split('\n')
    rest = (chunk.pop() as string).slice(0, MAX_LINE)
    await convert(chunk)
  }
  if (rest !== '') await convert([rest])
  await put(
    stderr,
    invalid > 0 ? `${invalid} of ${lines} ${unit}s invalid\n` : '',
  )
  return invalid > 0 ? 1 : 0
}

function tryWrite(write: Writer, found: Found): string | TypedIdError {
  try {
    return write(found)
  } catch (error) {
    return toTypedIdError(error)
  }
}

/**
 * Returns the message for an invalid line. `line` is Latin-1 for speed. The
 * message quotes it as UTF-8.
 */
function describeError(
  line: string,
  error: TypedIdError,
  read: Reader,
): string {
  if (line.length >= MAX_LINE)
    return `longer than any id: "${escapeText(line.slice(0, 80))}"…`
  const text = Buffer.from(line, 'latin1').toString()
  return text === line ? error.message : (read(text) as TypedIdError).message
}
