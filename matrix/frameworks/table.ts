/** Prints the table of recipes in the library's README, or writes it: `node frameworks/table.ts --write`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { FRAMEWORKS, VALIDATORS, versionsOf } from './recipes.ts'

const README = new URL('../../packages/typed-id/README.md', import.meta.url)
const TABLE = /(?<=<!-- recipes -->\n\n)[\s\S]*?(?=\n\n<!-- \/recipes -->)/

/** Returns the table that the README contains. */
export const readTable = (): string | undefined => TABLE.exec(readFileSync(README, 'utf8'))?.[0]

/** Returns the table with the installed versions. */
export function createTable(): string {
  // No links: outside of the package they would not work on the page of a registry.
  const rows = [...FRAMEWORKS, ...VALIDATORS].map((recipe) => [
    recipe.name,
    `\`${recipe.folder}\``,
    versionsOf(recipe),
    recipe.rejection,
  ])
  return alignRows(['with', 'recipe', 'tested versions', 'rejects with'], rows)
}

/** Returns a Markdown table whose columns are as wide as their longest cells. */
export function alignRows(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows].map(toLine).join('\n')
}

if (import.meta.main) {
  const table = createTable()
  console.log(table)
  if (process.argv.includes('--write'))
    writeFileSync(
      README,
      readFileSync(README, 'utf8').replace(TABLE, () => table),
    )
}
