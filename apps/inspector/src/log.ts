import { type Finding, findAll } from './find-all.ts'
import { createRowFinder, decodeLatin1, MAX_ROW } from './rows.ts'
import { createTally, type TypeCount } from './tally.ts'

/** A part of a row: text, or an id with the number of its type. */
export type Part = string | (Omit<Finding, 'index' | 'type'> & { readonly type: number })

export interface Row {
  /** The number of the row, which selects it: a long line has several rows. */
  readonly row: number
  /** The number of the line, or 0 if a row before this one has started the line. */
  readonly line: number
  readonly parts: readonly Part[]
}

export interface Progress {
  readonly read: number
  readonly size: number
  readonly lines: number
  /** The number of rows that the filter lets through. */
  readonly shown: number
  readonly types: readonly TypeCount[]
}

/** The first results are there after 64 KB, whatever the size of the log. */
const FIRST_CHUNK = 0x1_0000
const CHUNK = 0x10_0000
/** The position of every 64th row is kept: to show a row, 64 rows are read, which have at most 25,600 bytes. */
const BLOCK = 64

/**
 * Searches a log in chunks, and reads its rows again to show them. It keeps 2 numbers per id and 2 numbers per 64 rows,
 * and no text of the log.
 */
export function createLog(blob: Blob) {
  const starts: number[] = [0] // the position of the first row of each block
  const lines: number[] = [1] // its line, or minus its line if an earlier row has started it
  const tally = createTally()
  let rows = 0
  let line = 1
  let isLineStart = true
  let read = 0

  /** Searches the complete rows at the start of a text whose position is `offset`. Returns their length. */
  function search(text: string, offset: number, isLast: boolean): number {
    const findRowEnd = createRowFinder(text, isLast)
    const ends: number[] = []
    let end = 0
    for (let next = findRowEnd(0); next > 0; next = findRowEnd(end)) {
      end = next
      ends.push(end)
    }
    let index = 0
    for (const found of findAll(text, end)) {
      while ((ends[index] as number) <= found.index) index++
      tally.add(rows + index, found)
    }
    for (const rowEnd of ends) {
      isLineStart = text.charCodeAt(rowEnd - 1) === 10
      if (isLineStart) line++
      rows++
      if (rows % BLOCK === 0) {
        starts.push(offset + rowEnd)
        lines.push(isLineStart ? line : -line)
      }
    }
    return end
  }

  /** Searches the log, and yields after each chunk. */
  async function* scan(): AsyncGenerator<void> {
    let text = '' // the start of a row that the chunk has cut
    for (let size = FIRST_CHUNK; read < blob.size || text !== ''; size = CHUNK) {
      const bytes = new Uint8Array(await blob.slice(read, read + size).arrayBuffer())
      const offset = read - text.length
      text += decodeLatin1(bytes)
      read += bytes.length
      text = text.slice(search(text, offset, read >= blob.size))
      yield
    }
  }

  async function readBlock(block: number): Promise<Row[]> {
    const position = starts[block] as number
    const limit = position + BLOCK * MAX_ROW + 1
    const bytes = new Uint8Array(await blob.slice(position, limit).arrayBuffer())
    const text = decodeLatin1(bytes)
    const findRowEnd = createRowFinder(text, limit >= blob.size)
    const found: Row[] = []
    let number = lines[block] as number
    let start = 0
    for (let end = findRowEnd(0); end > 0 && found.length < BLOCK; end = findRowEnd(start)) {
      found.push({
        row: block * BLOCK + found.length,
        line: Math.max(0, number),
        parts: split(bytes, text, start, end),
      })
      number = text.charCodeAt(end - 1) === 10 ? Math.abs(number) + 1 : -Math.abs(number)
      start = end
    }
    return found
  }

  /** Splits a row at its ids. The text between them is decoded as UTF-8. */
  function split(bytes: Uint8Array, text: string, start: number, end: number): Part[] {
    const decode = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to))
    const parts: Part[] = []
    let at = start
    for (const { index, type, text: found, id } of findAll(text.slice(start, end), end - start)) {
      if (start + index > at) parts.push(decode(at, start + index))
      at = start + index + found.length
      parts.push({ type: tally.findType(type), text: decode(start + index, at), id })
    }
    const rest = decode(at, end).replace(/\r?\n$/, '')
    return rest === '' ? parts : [...parts, rest]
  }

  return {
    scan,
    progress: (): Progress => ({
      read,
      size: blob.size,
      lines: isLineStart ? line - 1 : line,
      shown: tally.shown() ?? rows,
      types: tally.types,
    }),
    filter: tally.filter,
    findNeighbour: tally.findNeighbour,

    /** Reads `count` of the shown rows, from the one at the index `first`. */
    async readRows(first: number, count: number): Promise<Row[]> {
      const wanted = tally.shownRows(first, Math.min(count, (tally.shown() ?? rows) - first))
      const blocks = new Map<number, Row[]>()
      for (const row of wanted) {
        const block = Math.floor(row / BLOCK)
        if (!blocks.has(block)) blocks.set(block, await readBlock(block))
      }
      return wanted.flatMap((row) => blocks.get(Math.floor(row / BLOCK))?.[row % BLOCK] ?? [])
    },
  }
}

export type Log = ReturnType<typeof createLog>
