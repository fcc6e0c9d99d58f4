import { statSync } from 'node:fs'
import { UnavailableError } from './errors.ts'

/**
 * A look whether the files of an open SQLite database are still those that have its name (1 µs). It throws an
 * UnavailableError when they are not: SQLite goes on to write into a file that is removed or replaced, and what was
 * answered would be gone with the process. The first look, in a transaction, says which files they are.
 */
export function placeOf(file: string): () => void {
  const files = [file, `${file}-wal`]
  let known: string | undefined
  return () => {
    const found = files.map(identity).join()
    known ??= found
    if (found !== known) throw new UnavailableError(`${file} was removed or replaced while in use`)
  }
}

function identity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : 'none'
}
