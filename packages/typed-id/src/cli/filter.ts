import { TypedIdError } from '../core/error.ts'
import {
  type Found,
  type Reader,
  toTypedIdError,
  type Writer,
} from './forms.ts'
import { escapeText, put, type Terminal } from './terminal.ts'

/**
 * Limits the memory for input without line breaks. The longest id has 100
 * characters.
 */
const MAX_LINE = 1000

export interface Input {
  readonly unit: 'line' | 'argument'
  readonly chunks: AsyncIterable<string> | Iterable<string>
}

export async function filter(
  { stdout, stderr }: Terminal,
  { unit, chunks }: Input,
  read: Reader,
  write: Writer,
): Promise<number> {
  let lines = 0
  let invalid = 0

  async function convert(whole: string[]): Promise<void> {
    let output = ''
    let errors = ''
    for (const line of whole) {
      lines++
      const text = line.endsWith('\r') ? line.slice(0, -1) : line
      // A line of MAX_LINE blanks is not skipped, because the end of the line
      // was cut and may contain text.
      if (text.length < MAX_LINE && /^[\t ]*$/.test(text)) continue
      const written = tryWrite(read(text), write)
      if (written instanceof TypedIdError) {
        invalid++
        const message =
          text.length < MAX_LINE
            ? written.message
            : `longer than any id: "${escapeText(text.slice(0, 80))}"…`
        errors += `${unit} ${lines}: ${message}\n`
      } else {
        output += written && `${written}\n`
      }
    }
    await put(stdout, output)
    await put(stderr, errors)
  }

  let rest = ''
  for await (const chunk of chunks) {
    const whole = (rest + chunk).split('\n')
    rest = (whole.pop() as string).slice(0, MAX_LINE)
    await convert(whole)
  }
  if (rest !== '') await convert([rest])
  await put(
    stderr,
    invalid > 0 ? `${invalid} of ${lines} ${unit}s invalid\n` : '',
  )
  return invalid > 0 ? 1 : 0
}

function tryWrite(found: Found | TypedIdError, write: Writer) {
  if (found instanceof TypedIdError) return found
  try {
    return write(found)
  } catch (error) {
    return toTypedIdError(error)
  }
}
