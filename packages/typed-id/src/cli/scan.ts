import { findIds, MAX_AFTER, MAX_BEFORE, type Occurrence } from './find-ids.ts'
import {
  decodeInput,
  decodeLatin1,
  escapeText,
  put,
  type Terminal,
} from './terminal.ts'

/** The number of ids of a type in each form, and of look-alikes (`invalid`). */
export interface Count {
  type: string
  standard: number
  short: number
  invalid: number
}

/**
 * Maximum number of types that are counted separately, which limits memory. Ids
 * of further types are counted as `OTHER_TYPES`.
 */
const MAX_TYPES = 1000
const OTHER_TYPES = '(other types)'

/**
 * Counts the ids of the type `only` or of all types, and reports look-alikes on
 * stderr. The input is searched in chunks that overlap, so memory is constant.
 *
 * @returns the exit code: 1 if there is a look-alike, otherwise 0.
 */
export async function scan(
  { stdout, stderr }: Terminal,
  input: AsyncIterable<Uint8Array>,
  only: string | undefined,
  write: (counts: readonly Count[]) => string,
): Promise<number> {
  const counts = new Map<string, Count>()
  let lines = 1 // number of the current line, from 1
  let isAnyInvalid = false

  /**
   * Counts an id or a look-alike. Returns the message for a look-alike,
   * otherwise an empty string.
   */
  function count(
    { prefix, form, text, id }: Occurrence,
    line: () => number,
  ): string {
    if (only && prefix.toLowerCase() !== only.toLowerCase()) return ''
    const expected =
      only && only !== prefix ? only + id.slice(prefix.length) : id
    const counted = findCount(counts, only ?? prefix)
    if (text === expected) {
      counted[form]++
      return ''
    }
    counted.invalid++
    isAnyInvalid = true
    const quoted = escapeText(Buffer.from(text, 'latin1').toString())
    return `line ${line()}: "${quoted}" is not an id, did you mean ${expected}?\n`
  }

  /** Counts the ids whose separator is between `from` and `to`. */
  async function search(text: string, from: number, to: number): Promise<void> {
    let errors = ''
    let counted = from
    for (const found of findIds(text, from, to)) {
      errors += count(found, () => {
        lines += countLineBreaks(text, counted, found.index)
        counted = Math.max(counted, found.index)
        return lines
      })
    }
    lines += countLineBreaks(text, counted, to)
    await put(stderr, errors)
  }

  let text = ''
  let from = 0
  for await (const bytes of decodeInput(input)) {
    text = text.slice(Math.max(0, from - MAX_BEFORE)) + decodeLatin1(bytes)
    from = Math.min(from, MAX_BEFORE)
    const to = Math.max(from, text.length - MAX_AFTER)
    await search(text, from, to)
    from = to
  }
  await search(text, from, text.length)
  const sorted = [...counts.values()].toSorted(
    (a, b) => total(b) - total(a) || (a.type < b.type ? -1 : 1),
  )
  await put(stderr, sorted.length > 0 ? '' : 'no ids found\n')
  await put(stdout, write(sorted))
  return isAnyInvalid ? 1 : 0
}

export function writeJsonCounts(counts: readonly Count[]): string {
  return counts.map((count) => `${JSON.stringify(count)}\n`).join('')
}

export function writeTable(counts: readonly Count[]): string {
  if (counts.length === 0) return ''
  const columns = ['standard', 'short', 'invalid'] as const
  const width = Math.max(
    ...counts.map(({ type }) => type.length),
    'type'.length,
  )
  const row = (type: string, cells: readonly string[]) =>
    `${type.padEnd(width)}${cells.map((cell) => cell.padStart(12)).join('')}\n`
  const rows = counts.map((count) =>
    row(
      count.type,
      columns.map((column) => count[column].toLocaleString('en')),
    ),
  )
  return row('type', columns) + rows.join('')
}

function total({ standard, short, invalid }: Count): number {
  return standard + short + invalid
}

function findCount(counts: Map<string, Count>, type: string): Count {
  const found = counts.get(type)
  if (found) return found
  if (counts.size >= MAX_TYPES && type !== OTHER_TYPES)
    return findCount(counts, OTHER_TYPES)
  // Copies the type, because a substring keeps its whole parent string alive in
  // V8.
  const copy = Buffer.from(type).toString()
  const count = { type: copy, standard: 0, short: 0, invalid: 0 }
  counts.set(copy, count)
  return count
}

function countLineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (
    let at = text.indexOf('\n', from);
    at >= 0 && at < to;
    at = text.indexOf('\n', at + 1)
  )
    count++
  return count
}
