import { readFileSync } from 'node:fs'
import { REPOSITORY } from '../../repository.ts'

/** The statements of each SQL block of a page. */
export function readBlocks(page: string): string[][] {
  const text = readFileSync(new URL(`docs/guide/migrate/${page}.md`, REPOSITORY), 'utf8')
  return [...text.matchAll(/^```sql\n([\s\S]+?)^```$/gm)].map(([, code = '']) => splitStatements(code))
}

/** Splits SQL at semicolons that are not in the body of a function. */
function splitStatements(code: string): string[] {
  return (code.match(/(?:\$\$[\s\S]*?\$\$|'[^']*'|[^;$'])+;/g) ?? []).map((statement) => statement.trim())
}
