import { readFileSync, writeFileSync } from 'node:fs'
import { formatTable, replaceSection, type Table } from 'testkit/tables.ts'

export { type Cell, formatTable, replaceSection, type Table } from 'testkit/tables.ts'

/** Formats a table, and returns Markdown unchanged. */
export const toMarkdown = (table: Table | string): string =>
  typeof table === 'string' ? table : formatTable(table)

/** Writes a table, or Markdown, into the section `name` of a Markdown file. */
export function writeSection(file: string, name: string, table: Table | string): void {
  const document = readFileSync(file, 'utf8')
  try {
    writeFileSync(file, replaceSection(document, name, toMarkdown(table)))
  } catch (error) {
    throw new Error(`cannot write the table of ${name} to ${file}: ${(error as Error).message}`)
  }
}

/** Throws an error that contains every failure, so that the message of a red test names the cause. */
export function expectNoFailures(failures: readonly string[]): void {
  if (failures.length > 0) throw new Error(`${failures.length} failures:\n${failures.join('\n')}`)
}
