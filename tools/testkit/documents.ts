export const REPOSITORY = new URL('../../', import.meta.url)

type Cell = string | number

export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export function formatTable({ columns, rows }: Table): string {
  const rule = columns.map((_, n) =>
    rows.every((row) => isNumber(row[n] ?? '')) ? '--:' : '---',
  )
  return [columns, rule, ...rows]
    .map((row) => columns.map((_, n) => formatCell(row[n] ?? '')).join(' | '))
    .map((cells) => `| ${cells} |`)
    .join('\n')
}

const isNumber = (cell: Cell) =>
  typeof cell === 'number' || /^[\d.,]+$/.test(cell)

const formatCell = (cell: Cell) =>
  typeof cell === 'number'
    ? cell.toLocaleString('en')
    : cell.replaceAll('|', '\\|')

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
