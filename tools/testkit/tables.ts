type Cell = string | number

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

/**
 * Formats a table as Markdown, with aligned columns unless a row would be wider
 * than 120 characters. Columns of numbers are right-aligned, also of numeric
 * strings such as `0.20`. Values of the type number get thousands separators.
 */
export function formatTable({ columns, rows }: Table): string {
  const isNumeric = columns.map((_, n) =>
    rows.every((row) => isNumber(row[n] ?? '')),
  )
  const lines = [columns, ...rows].map((row) =>
    columns.map((_, n) => formatCell(row[n] ?? '')),
  )
  const longest = columns.map((_, n) =>
    Math.max(3, ...lines.map((line) => line[n]?.length ?? 0)),
  )
  const width = longest.reduce((sum, length) => sum + length + 3, 1)
  const widths = width > 120 ? longest.map(() => 0) : longest
  const formatLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, n) => (isNumeric[n] ? cell.padStart(widths[n] ?? 0) : cell.padEnd(widths[n] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, n) =>
    isNumeric[n]
      ? `${'-'.repeat(Math.max(2, width - 1))}:`
      : '-'.repeat(Math.max(3, width)),
  )
  const [head = [], ...body] = lines
  return [head, rule, ...body].map(formatLine).join('\n')
}

const isNumber = (cell: Cell) =>
  typeof cell === 'number' || /^[\d.,]+$/.test(cell)

const formatCell = (cell: Cell) =>
  typeof cell === 'number'
    ? cell.toLocaleString('en')
    : cell.replaceAll('|', '\\|')

/**
 * Replaces the text between the lines `<!-- name -->` and `<!-- /name -->` of a
 * Markdown document. Throws unless the document has exactly one such section.
 */
export function replaceSection(
  document: string,
  name: string,
  text: string,
): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const parts = document.split(start)
  const [before = '', rest = ''] = parts
  const tail = rest.split(end)
  if (parts.length !== 2 || tail.length !== 2)
    throw new Error(
      `expected one section between the lines ${start} and ${end}`,
    )
  return `${before}${start}\n\n${text}\n\n${end}${tail[1]}`
}
