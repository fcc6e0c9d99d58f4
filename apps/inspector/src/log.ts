import { MAX_BEFORE } from 'typed-id/internal/src/cli/find-ids.ts'
import { readChunks } from './chunks.ts'
import { type Finding, findAll, PLAIN_UUID } from './find-all.ts'
import { createPattern, createRowFinder, decodeLatin1, LOOKAHEAD, MAX_ROW } from './rows.ts'
import { createTally, type Occurrences, type TypeCount } from './tally.ts'
import { findKey, findTime, findUuid } from './value.ts'

/** A part of a row: a string, or an id with the number of its type and the key of its value. */
export type Part =
  | string
  | (Omit<Finding, 'index' | 'type'> & { readonly type: number; readonly key: number })

export interface Row {
  /** The number of the row. A long line has several rows. */
  readonly row: number
  /** The number of the line, or 0 if the line started in an earlier row. */
  readonly line: number
  readonly parts: readonly Part[]
}

export interface Progress {
  readonly read: number
  readonly size: number
  readonly lines: number
  /** The number of rows that the filter shows. */
  readonly shown: number
  readonly types: readonly TypeCount[]
  /** The number of different ids, known when the whole log was read. */
  readonly distinct: number | undefined
}

/** The position of every 64th row is kept. To show a row, 64 rows are read, which have at most 25,600 bytes. */
const BLOCK = 64

/**
 * Searches a log in chunks, and reads rows again to show them. Memory contains 4 numbers per id and 2 numbers per 64
 * rows, but no content of the log.
 */
export function createLog(blob: Blob) {
  const starts: number[] = [0] // the position of the first row of each block
  const lines: number[] = [1] // the line of each first row; negative if an earlier row started it
  const tally = createTally()
  let rows = 0
  let line = 1
  let isLineStart = true
  let read = 0
  let distinct: number | undefined

  /** Searches the log, and yields after each chunk. */
  async function* scan(): AsyncGenerator<void> {
    for await (const { text, from, ends, to } of readChunks(blob)) {
      const found = findAll(text, from, ends.at(-1) ?? 0)
      let next = 0
      for (const end of ends) {
        for (; next < found.length && (found[next] as Finding).index < end; next++)
          tally.add(rows, line, found[next] as Finding)
        isLineStart = text.charCodeAt(end - 1) === 10
        if (isLineStart) line++
        rows++
        if (rows % BLOCK === 0) {
          starts.push(to - text.length + end)
          lines.push(isLineStart ? line : -line)
        }
      }
      read = to
      if (read >= blob.size) distinct = tally.countDistinct()
      yield
    }
  }

  /** Returns the rows that contain a string. If the string is an id, finds the id in any form. */
  async function findRows(text: string, isCurrent: () => boolean): Promise<Set<number>> {
    const key = findKeyOf(text)
    if (key !== undefined) return tally.findRows(key)
    const pattern = createPattern(toLatin1(text))
    const found = new Set<number>()
    let row = 0 // the number of the first row of the chunk
    for await (const { text, from, ends } of readChunks(blob)) {
      if (!isCurrent()) break
      pattern.lastIndex = from
      let at = 0
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        while ((ends[at] as number) <= match.index) at++
        if (at >= ends.length) break
        found.add(row + at)
        pattern.lastIndex = ends[at] as number
      }
      row += ends.length
    }
    return found
  }

  /** Returns the key of a typed id, or undefined if the string is not a typed id. */
  function findKeyOf(text: string): number | undefined {
    const bytes = toLatin1(text.trim())
    const [found] = findAll(bytes, 0, bytes.length)
    if (found?.text !== bytes || found.type === PLAIN_UUID) return undefined
    return findKey(
      tally.types.findIndex(({ name }) => name === found.type),
      found.id,
    )
  }

  /** Writes each id of the shown rows once, in the standard form, either one per line or as CSV. */
  async function writeIds(isCsv: boolean): Promise<Blob> {
    const occurrences = tally.findOccurrences()
    const parts = [new Blob(isCsv ? ['type,id,created,count,first_line,last_line\n'] : [])]
    let index = 0
    for await (const { text, from, ends } of readChunks(blob)) {
      let written = ''
      for (const finding of findAll(text, from, ends.at(-1) ?? 0)) {
        const key = tally.keyAt(index++)
        const found = occurrences.get(key)
        if (found && occurrences.delete(key))
          written += isCsv ? writeCsv(finding, found) : `${toStandard(finding)}\n`
      }
      parts.push(new Blob([written]))
    }
    return new Blob(parts)
  }

  async function readBlock(block: number): Promise<Row[]> {
    const position = starts[block] as number
    const from = Math.min(position, MAX_BEFORE)
    const limit = position + BLOCK * MAX_ROW + LOOKAHEAD + 1
    const bytes = new Uint8Array(await blob.slice(position - from, limit).arrayBuffer())
    const text = decodeLatin1(bytes)
    const findRowEnd = createRowFinder(text, limit >= blob.size)
    const findings = findAll(text, from, text.length)
    const found: Row[] = []
    let number = lines[block] as number
    let start = from
    for (let end = findRowEnd(start); end > 0 && found.length < BLOCK; end = findRowEnd(start)) {
      found.push({
        row: block * BLOCK + found.length,
        line: Math.max(0, number),
        parts: split(bytes, findings, start, end),
      })
      number = text.charCodeAt(end - 1) === 10 ? Math.abs(number) + 1 : -Math.abs(number)
      start = end
    }
    return found
  }

  /** Splits a row at its ids, and removes them from `findings`. Decodes the bytes between ids as UTF-8. */
  function split(bytes: Uint8Array, findings: Finding[], start: number, end: number): Part[] {
    const decode = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to))
    const parts: Part[] = []
    let at = start
    while ((findings[0] as Finding)?.index < end) {
      const { index, type, text, id } = findings.shift() as Finding
      if (index > at) parts.push(decode(at, index))
      const from = Math.max(at, index) // an id in a long word can start in the previous row
      at = Math.min(end, index + text.length)
      const number = tally.findType(type)
      parts.push({ type: number, text: decode(from, at), id, key: findKey(number, id) })
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
      distinct,
    }),
    filter: tally.filter,
    findNeighbour: tally.findNeighbour,
    findKeyOf,
    findRows,
    findOccurrences: (key: number) => tally.findOccurrences(key).get(key),
    writeIds,

    /** Reads `count` of the shown rows, starting at the index `first`. */
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

/** Returns the standard form. A TypeID whose prefix has `_` has none, and remains unchanged. */
function toStandard({ type, id }: Finding): string {
  if (type.includes('_')) return id
  return type === PLAIN_UUID ? findUuid(id) : `${type}-${findUuid(id)}`
}

function writeCsv(finding: Finding, { count, first, last }: Occurrences): string {
  const time = findTime(findUuid(finding.id))
  const created = time === undefined ? '' : new Date(time).toISOString()
  const type = finding.type === PLAIN_UUID ? '' : finding.type
  return `${[type, toStandard(finding), created, count, first, last].join()}\n`
}

const toLatin1 = (text: string) => decodeLatin1(new TextEncoder().encode(text))
