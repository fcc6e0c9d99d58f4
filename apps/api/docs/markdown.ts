export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Formats a table as Markdown with aligned columns. */
export function formatTable({ columns, rows }: Table): string {
  const lines = [columns, ...rows].map((row) => columns.map((_, n) => (row[n] ?? '').replaceAll('|', '\\|')))
  const widths = columns.map((_, n) => Math.max(3, ...lines.map((line) => line[n]?.length ?? 0)))
  const formatLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = lines
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(formatLine).join('\n')
}

/**
 * Replaces the text between the lines `<!-- name -->` and `<!-- /name -->` of a Markdown document.
 *
 * @throws Error unless the document has exactly one such section.
 */
export function replaceSection(document: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [before = '', rest = '', ...others] = document.split(start)
  const [, after, ...otherEnds] = rest.split(end)
  if (after === undefined || others.length > 0 || otherEnds.length > 0)
    throw new Error(`expected one section between the lines ${start} and ${end}`)
  return `${before}${start}\n\n${text}\n\n${end}${after}`
}
