import { MAX_BEFORE } from 'typed-id/internal/src/cli/find-ids.ts'
import { createRowFinder, decodeLatin1 } from './rows.ts'

interface Chunk {
  readonly text: string
  /** Where the first row starts: an id in it may start after an escape sequence of the row before. */
  readonly from: number
  readonly ends: readonly number[]
  /** The position of the end of the text in the log. */
  readonly to: number
}

/** The first results are there after 64 KB, whatever the size of the log. */
const FIRST_CHUNK = 0x1_0000
const CHUNK = 0x10_0000

/** Reads a log in chunks: a text, where its first complete row starts, and where the rows end. */
export async function* readChunks(log: Blob): AsyncGenerator<Chunk> {
  let text = '' // what is before a row that the chunk has cut, and its start
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
