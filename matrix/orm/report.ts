interface Cell {
  readonly orm: string
  readonly server: string
  readonly storage: string
  readonly operation: string
  /** Why the ORM cannot do the operation. */
  readonly reason?: string | undefined
}

const cells: Cell[] = []
const versions = new Map<string, string>()

/** Records a cell of the matrix whose test has passed. */
export const addCell = (cell: Cell) => void cells.push(cell)
export const addVersion = (name: string, version: string) => void versions.set(name, version)

/** Prints for each ORM, database and storage how many operations passed, and the reasons for those that it cannot do. */
export function printCells(): void {
  const rows = Map.groupBy(cells, ({ orm, server, storage }) => [orm, server, storage].join(' | '))
  const lines = [...rows].map(([key, row]) => {
    const missing = row
      .filter(({ reason }) => reason)
      .map(({ operation, reason }) => `${operation}: ${reason}`)
    return `| ${key} | ${row.length - missing.length} of ${row.length} | ${missing.join('; ')} |`
  })
  const able = cells.filter(({ reason }) => !reason).length
  console.log(
    [
      [...versions].map((entry) => entry.join(' ')).join(', '),
      '| ORM | database | storage | operations | cannot |',
      '| --- | --- | --- | --- | --- |',
      ...lines.sort(),
      `${cells.length} cells run: ${able} work, ${cells.length - able} cannot and fail as stated`,
    ].join('\n'),
  )
}
