import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Files here are in the memory of Linux. Docker gives a container 64 MB of it. */
const MEMORY = '/dev/shm'

/**
 * Returns the folder for data that may be lost: in memory if 1 GB is free there, because a PostgreSQL database has 300
 * files, and a file system on a disk takes most of the time that it needs to create them.
 */
export function folderInMemory(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize > 2 ** 30 ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
