import { MAX_BEFORE } from 'typed-id/internal/src/cli/find-ids.ts'
import { createRowFinder, decodeLatin1 } from './rows.ts'

interface Chunk {
  readonly text: string
  /** The start of the first row. Before it are characters that may be an escape sequence in front of an id. */
  readonly from: number
  readonly ends: readonly number[]
  /** The position in the log at which `text` ends. */
  readonly to: number
}

/** The first chunk has 64 KB, so that the first results appear early, whatever the size of the log. */
const FIRST_CHUNK = 0x1_0000
const CHUNK = 0x10_0000

/** Reads a log in chunks of complete rows. */
export async function* readChunks(log: Blob): AsyncGenerator<Chunk> {
  let text = '' // the end of the previous chunk: the start of a cut row, and the characters before it
  let from = 0
  let to = 0
  for (let size = FIRST_CHUNK; to < log.size || text.length > from; size = CHUNK) {
    const bytes = new Uint8Array(await log.slice(to, to + size).arrayBuffer())
    text += decodeLatin1(bytes)
    to += bytes.length
    const findRowEnd = createRowFinder(text, to >= log.size)
    const ends: number[] = []
    for (let end = findRowEnd(from); end > 0; end = findRowEnd(end)) ends.push(end)
    yield { text, from, ends, to }
    const end = ends.at(-1) ?? from
    from = Math.min(end, MAX_BEFORE)
    text = text.slice(end - from)
  }
}
