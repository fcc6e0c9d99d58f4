import { formatTable, replaceSection } from 'testkit/tables.ts'
import { RECIPES, type Recipe, versionsOf } from './recipes.ts'

export const PAGE = new URL('../../docs/guide/frameworks.md', import.meta.url)

/** Returns the page with the installed versions, and the code of the recipes, which VitePress inserts. */
export function updatePage(page: string): string {
  const rows = RECIPES.map((recipe) => [
    recipe.name,
    `[\`${recipe.folder}\`](${pathOf(recipe)})`,
    versionsOf(recipe),
  ])
  const table = formatTable({ columns: ['with', 'recipe', 'tested versions'], rows })
  const code = RECIPES.map((recipe) => `<<< ${pathOf(recipe)} [${recipe.name}]`)
  return replaceSection(page, 'recipes', [table, '::: code-group', ...code, ':::'].join('\n\n'))
}

/** The file of a recipe, as the page refers to it. */
const pathOf = ({ folder }: Recipe) => `../../integrations/${folder}/recipe.ts`
