import { resolve } from 'node:path'

export const DATABASE_URLS =
  'sqlite:<file>, sqlite::memory: or postgres://user:password@host:port/name'

const SQLITE = 'sqlite:'
const MEMORY = ':memory:'

/**
 * Matches probable mistakes: `file:`, unexpanded shell syntax, and names such
 * as `users.db-wal`, which SQLite would delete when it creates `users.db`.
 */
const NOT_A_FILE =
  /^\/\/|^file:|^[~\s']|'$|["`$?]|%\w+%|\/$|memory:$|:memory$|-(?:wal|shm|journal)$/i

export function parseDatabaseUrl(
  text: string,
  root: string,
): string | undefined {
  const url = text.trim()
  if (/^postgres(ql)?:\/\//.test(url))
    return URL.canParse(url) ? url : undefined
  const file = url.slice(SQLITE.length)
  if (!url.startsWith(SQLITE) || file === '') return undefined
  if (file === MEMORY) return url
  return NOT_A_FILE.test(file) ? undefined : SQLITE + resolve(root, file)
}
