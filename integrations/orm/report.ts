import { formatTable } from 'testkit/tables.ts'
import { report } from '../report.ts'

interface Cell {
  readonly orm: string
  /** The database and the storage: `SQLite, text`. */
  readonly column: string
  readonly operation: string
  /** Why the ORM cannot do the operation. */
  readonly reason?: string | undefined
}

const cells: Cell[] = []
const versions = new Map<string, string>()

/** Records a cell of the matrix whose test has passed. */
export const addCell = (cell: Cell) => void cells.push(cell)
export const addVersion = (name: string, version: string) => void versions.set(name, version)

/** Prints for each ORM, database and storage how many operations work, and the reasons for those that do not. */
export function printCells(name: string): void {
  const columns = [...new Set(cells.map(({ column }) => column))]
  const rows = [...Map.groupBy(cells, ({ orm }) => orm)].map(([orm, own]) => {
    const counts = columns.map((column) => {
      const found = own.filter((cell) => cell.column === column)
      return `${found.filter(({ reason }) => !reason).length} of ${found.length}`
    })
    return [orm, ...counts]
  })
  const unable = cells.filter(({ reason }) => reason)
  const reasons = Map.groupBy(unable, ({ orm, operation, reason }) => `- ${orm}, ${operation}: ${reason}`)
  report(
    name,
    `Versions: ${[...versions].map((entry) => entry.join(' ')).join(', ')}.`,
    formatTable({ columns: ['', ...columns], rows }),
    `${cells.length} cells: ${cells.length - unable.length} work. These do not, and a test asserts that they fail:`,
    [...reasons].map(([text, own]) => `${text} (${own.map(({ column }) => column).join('; ')})`).join('\n'),
  )
}
