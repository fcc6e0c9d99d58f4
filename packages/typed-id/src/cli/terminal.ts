import { createReadStream } from 'node:fs'

/**
 * The input and output of a command. Tests pass their own streams, so most
 * tests start no process.
 */
export interface Terminal {
  readonly version: string
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdinIsTTY?: boolean
  readonly stdout: Output
  readonly stderr: Output
  readonly colour: boolean
}

export interface Output {
  readonly isTTY?: boolean
  write(
    text: string,
    encoding: BufferEncoding,
    done: (error?: Error | null) => void,
  ): unknown
}

/**
 * Waits until the stream has written the string, so a slow reader slows the
 * command down, and a closed pipe (EPIPE) stops it.
 */
export function put(stream: Output, text: string): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, 'utf8', (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Escapes everything but printable ASCII, so that quoted input cannot control
 * the terminal.
 */
export function escapeText(text: string): string {
  return text.replace(
    /[^ -~]/g,
    (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`,
  )
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

export async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(`cannot read ${path}: ${REASONS[code] ?? message}`)
  }
}

/** Decodes one character per byte, which is several times as fast as UTF-8. */
export function decodeLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(
    'latin1',
  )
}

/**
 * Yields the input as UTF-8, without the byte order mark that programs on
 * Windows write. Converts UTF-16 with a byte order mark, which PowerShell 5
 * writes.
 */
export async function* decodeInput(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // Collects the first bytes of the input, until they can contain any byte
  // order mark.
  let start: Buffer | undefined = Buffer.alloc(0)
  let decoder: TextDecoder | undefined
  for await (const bytes of input) {
    if (!start)
      yield decoder
        ? Buffer.from(decoder.decode(bytes, { stream: true }))
        : bytes
    else {
      start = Buffer.concat([start, bytes])
      if (start.length < 3) continue
      decoder = findDecoder(start)
      yield decoder
        ? Buffer.from(decoder.decode(start, { stream: true }))
        : withoutMark(start)
      start = undefined
    }
  }
  if (start) decoder = findDecoder(start)
  const rest = decoder ? Buffer.from(decoder.decode(start)) : start
  if (rest && rest.length > 0) yield rest
}

/**
 * Returns a decoder for input with a byte order mark of UTF-16, otherwise
 * undefined.
 */
function findDecoder([first, second]: Uint8Array): TextDecoder | undefined {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  return undefined
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    ? bytes.subarray(3)
    : bytes
}

/**
 * An error in the command line, with exit code 2. An invalid id has exit code
 * 1.
 */
export class UsageError extends Error {}
