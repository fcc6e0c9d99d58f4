import { readFileSync, writeFileSync } from 'node:fs'
import { RECIPES, type Recipe, versionsOf } from './recipes.ts'

const PAGE = new URL('../../docs/guide/frameworks.md', import.meta.url)
const TABLE = /(?<=<!-- recipes -->\n\n)[\s\S]*?(?=\n\n<!-- \/recipes -->)/

/** Returns the table of recipes in docs/guide/frameworks.md. */
export const readTable = (): string | undefined => TABLE.exec(readFileSync(PAGE, 'utf8'))?.[0]

/** Writes the table of recipes into docs/guide/frameworks.md. */
export function writeTable(table: string): void {
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(TABLE, () => table),
  )
}

/** Returns the table with the installed versions, and the code of the recipes, which VitePress inserts. */
export function createTable(): string {
  const rows = RECIPES.map((recipe) => [
    recipe.name,
    `[\`${recipe.folder}\`](${pathOf(recipe)})`,
    versionsOf(recipe),
  ])
  const table = alignRows(['with', 'recipe', 'tested versions'], rows).join('\n')
  const code = RECIPES.map((recipe) => `<<< ${pathOf(recipe)} [${recipe.name}]`)
  return [table, '::: code-group', ...code, ':::'].join('\n\n')
}

/** The file of a recipe, as the page refers to it. */
const pathOf = ({ folder }: Recipe) => `../../matrix/${folder}/recipe.ts`

/** Returns the lines of a Markdown table whose columns are as wide as their longest cells. */
export function alignRows(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)))
  const toLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [titles, widths.map((width) => '-'.repeat(width)), ...rows].map(toLine)
}
