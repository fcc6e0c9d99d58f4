import { readFileSync } from 'node:fs'
import { REPOSITORY } from '../../repository.ts'

const readCode = (page: string) => {
  const text = readFileSync(new URL(`docs/guide/migrate/${page}.md`, REPOSITORY), 'utf8')
  return [...text.matchAll(/^```sql\n([\s\S]+?)^```$/gm)].map(([, code = '']) => code)
}

/** The statements of each block of a page that is for PostgreSQL. */
export function readBlocks(page: string): string[][] {
  return readCode(page)
    .filter((code) => !code.startsWith('.bail'))
    .map(splitStatements)
}

/** The script for the program `sqlite3`. */
export function readSqliteScript(): string {
  return readCode('online').find((code) => code.startsWith('.bail')) ?? ''
}

/** Splits SQL at semicolons that are not in the body of a function. */
function splitStatements(code: string): string[] {
  return (code.match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;$'])+;/g) ?? []).map((statement) => statement.trim())
}
