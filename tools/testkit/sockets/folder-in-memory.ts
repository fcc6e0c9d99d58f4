import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Linux keeps files in this folder in memory. Docker gives a container 64 MB of it. */
const MEMORY = '/dev/shm'

/**
 * Returns a folder for data that may be lost, in memory if 1 GB is free there. A PostgreSQL database has 300 files, and
 * creating these on a disk takes most of the time that a new database needs.
 */
export function folderInMemory(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > 2 ** 30 ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
