import { MigrationError } from '../error.ts'

/** Comments, strings and quoted names, parentheses and commas, spaces, and everything else. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[(),]|\s+|[^\s(),'"`[/-]+|[/-]/g

/** The name and the type of a column, and what follows. A type is a sequence of words before the first constraint. */
const COLUMN =
  /^("(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[^\s(]+)((?:\s+(?!(?:constraint|primary|not|null|unique|check|default|collate|references|generated|as)\b)\w+)+(?:\s*\([^)]*\))?)(.*)$/is

/**
 * Changes the type of an integer column to text in a CREATE TABLE statement. The definition of the column as it was
 * remains in a comment, for the way back. `isKey`: a rowid alias gets NOT NULL, because other keys may be null.
 */
export function changeToText(sql: string, table: string, column: string, isKey: boolean): string {
  const { start, end, hasComment } = findColumn(sql, table, column)
  const definition = sql.slice(start, end)
  if (hasComment || definition.includes('*/'))
    throw new MigrationError(
      `${table}.${column} has a comment in its definition, which cannot be converted: remove it`,
    )
  const [, name, , rest = ''] = COLUMN.exec(definition) ?? []
  if (name === undefined)
    throw new MigrationError(`${table}.${column} has a definition that cannot be converted: ${definition}`)
  const notNull = isKey && !/\bnot\s+null\b/i.test(rest) ? ' not null' : ''
  const constraints = rest.replace(/\s+autoincrement\b/i, '')
  return `${sql.slice(0, start)}${name} text${constraints}${notNull} /* typed-id: ${definition} */${sql.slice(end)}`
}

/** Restores the definition that `changeToText` has left in a comment. */
export function restoreInteger(sql: string, table: string, column: string): string {
  const { start, end } = findColumn(sql, table, column)
  const [comment, definition] = /^ \/\* typed-id: (.*?) \*\//s.exec(sql.slice(end)) ?? []
  if (comment === undefined)
    throw new MigrationError(`${table}.${column} was not converted from integers: use --down text`)
  return sql.slice(0, start) + definition + sql.slice(end + comment.length)
}

interface Range {
  readonly start: number
  readonly end: number
  readonly hasComment: boolean
}

/** Finds the definition of a column, from its name to its last constraint. Comments before and after are not part of it. */
function findColumn(sql: string, table: string, column: string): Range {
  let depth = 0
  let name: string | undefined
  let range = { start: 0, end: 0, hasComment: false }
  let hasComment = false
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    if (token === ')') depth -= 1
    if ((depth === 1 && token === ',') || (depth === 0 && token === ')')) {
      if (name !== undefined && unquote(name).toLowerCase() === column.toLowerCase()) return range
      name = undefined
    } else if (depth > 0 && token.trim() !== '') {
      if (/^(--|\/\*)/.test(token)) hasComment = true
      else if (name === undefined) {
        name = token
        range = { start: index, end: index + token.length, hasComment: false }
        hasComment = false
      } else range = { start: range.start, end: index + token.length, hasComment }
    }
    if (token === '(') depth += 1
  }
  throw new MigrationError(`${table}.${column} is not found in the definition of its table`)
}

function unquote(name: string): string {
  const quote = name[0] ?? ''
  if (quote === '[') return name.slice(1, -1)
  return '"`'.includes(quote) ? name.slice(1, -1).replaceAll(quote + quote, quote) : name
}
