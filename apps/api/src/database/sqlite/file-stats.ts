import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file beside a database that contains the time of its last backup, in seconds since 1970. */
export const timeOfBackup = (file: string): string => `${file}.last-backup`

/**
 * Returns the sizes in bytes of a database file, of its write-ahead log, and what its disk has free, and the time of its
 * last backup in seconds since 1970, 0 without one.
 */
export function fileStats(file: string) {
  const { bavail, bsize } = statfsSync(dirname(file))
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  const time = timeOfBackup(file)
  return {
    database: sizeOf(file),
    wal: sizeOf(`${file}-wal`),
    free: bavail * bsize,
    lastBackup: existsSync(time) ? Number(readFileSync(time, 'utf8')) || 0 : 0,
  }
}
