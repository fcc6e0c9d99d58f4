/* Rewrites a document of the package for another name, such as `@your-scope/typed-id`. */
import { SUBPATHS } from '../subpaths.ts'

const subpaths = [...SUBPATHS.map(({ key }) => key.slice(2)).filter(Boolean), 'vectors\\.json'].join('|')

/*
 * The name stands in the first column of the table of imports, in quotes, after the commands that install or run it,
 * and before a subpath. Everywhere else `typed-id` is the command, which keeps its name, or the project.
 */
const NAME = new RegExp(
  `(?<=^\\| \`|from '|import '|import\\('|npm install |npx )typed-id(?![\\w-])|(?<![\\w@/-])typed-id(?=/(?:${subpaths})\\b)`,
  'gm',
)

/** Returns the text with each mention of the package in code, commands and subpaths renamed. */
export function rename(text: string, name: string): string {
  return text.replace(NAME, name)
}
