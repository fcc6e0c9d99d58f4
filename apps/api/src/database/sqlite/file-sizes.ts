import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Returns the sizes in bytes of a database file, of its write-ahead log, and what its disk has free. */
export function fileSizes(file: string) {
  const { bavail, bsize } = statfsSync(dirname(file))
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return { database: sizeOf(file), wal: sizeOf(`${file}-wal`), free: bavail * bsize }
}
