import { statSync } from 'node:fs'
import { UnavailableError } from '../../errors.ts'

/**
 * Returns a check (1 µs) that the files of an open SQLite database are still the ones under its name. The check throws
 * an UnavailableError when they are not: SQLite keeps writing into a removed or replaced file, and those writes are
 * lost when the process ends. The first call records the files, so make it inside a transaction, when both exist.
 */
export function createFileCheck(file: string): () => void {
  const files = [file, `${file}-wal`]
  let recorded: string | undefined
  return function assertSameFile() {
    const found = files.map(identityOf).join()
    recorded ??= found
    if (found !== recorded) throw new UnavailableError(`${file} was removed or replaced while in use`)
  }
}

function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat ? `${stat.dev}:${stat.ino}` : 'none'
}
