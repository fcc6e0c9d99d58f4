import { formatTable } from 'testkit/tables.ts'
import type { Result } from './measure.ts'

/** Returns the answer to the question whether to store text, with the ratios of this run. */
export function summarize(results: readonly Result[]): string[] {
  const [text, native, version4, sqliteText, sqliteNative, sqliteVersion4] = results as [
    Result,
    Result,
    Result,
    Result,
    Result,
    Result,
  ]
  const sizeOf = ({ tables, indexes }: Result) => tables + indexes
  const times = (ratio: number) => ratio.toFixed(1)
  const space = [sizeOf(text) / sizeOf(native), sizeOf(sqliteText) / sizeOf(sqliteNative)].map(times)
  const inserts = [native.insertRate / text.insertRate, sqliteNative.insertRate / sqliteText.insertRate].map(
    times,
  )
  const reads = [
    text.lookup / native.lookup,
    text.join / native.join,
    sqliteText.lookup / sqliteNative.lookup,
    sqliteText.join / sqliteNative.join,
  ]
  const random = [
    text.insertRate / version4.insertRate,
    sqliteText.insertRate / sqliteVersion4.insertRate,
  ].map(times)
  return [
    `Store text unless the size of the database decides: text takes ${space[0]} times the space of a native \`uuid\` on`,
    `PostgreSQL, and ${space[1]} times that of a BLOB of 16 bytes on SQLite. Inserting text takes ${inserts[0]} and ${inserts[1]} times the processor`,
    `time, on PostgreSQL mostly for the CHECK of the domain, while lookups and joins take ${times(Math.min(...reads))} to ${times(Math.max(...reads))} times.`,
    `The version matters as much: inserting random ids of version 4 takes ${random[0]} and ${random[1]} times as long, and reading rows`,
    `in the order of such keys takes ${times(version4.page / text.page)} times as long on PostgreSQL.`,
  ]
}

export function toTable(results: readonly Result[]): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
  const columns = [
    'engine',
    'stored as',
    'tables, MB',
    'indexes, MB',
    'inserts per s',
    'lookup, µs',
    'join, µs a row',
    'next rows, µs a row',
  ]
  const rows = results.map(({ engine, way, tables, indexes, insertRate, lookup, join, page }) => [
    engine,
    way.replace('native', engine === 'SQLite' ? 'BLOB' : 'uuid'),
    megabytes(tables),
    megabytes(indexes),
    Math.round(insertRate).toLocaleString('en'),
    lookup.toFixed(1),
    join.toFixed(2),
    page.toFixed(2),
  ])
  return formatTable({ columns, rows })
}
