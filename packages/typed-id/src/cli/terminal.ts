import { createReadStream } from 'node:fs'

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
  write(text: string, done: (error?: Error | null) => void): unknown
}

export function put(stream: Output, text: string): Promise<void> {
  if (text === '') return Promise.resolve()
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Escapes all characters except printable ASCII, because a terminal could
 * execute control characters as commands.
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

/** Decodes UTF-8, or UTF-16 with a byte order mark, as PowerShell 5 writes. */
export async function* decode(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  for await (const bytes of input) {
    // The mark begins with 0xff, which is not a byte of UTF-8.
    decoder ??= new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-8')
    yield decoder.decode(bytes, { stream: true })
  }
  yield decoder?.decode() ?? ''
}

export class UsageError extends Error {}
