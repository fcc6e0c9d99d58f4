import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from 'testkit/process.ts'

export interface LimitedDisk {
  readonly folder: string
  readonly through: string[]
  fill(service: Running): Promise<void>
  freeSpace(service: Running): Promise<void>
  remove(): Promise<void>
}

/** Mounts a file system of 2 MB in memory. Only root may mount one. */
export async function limitedDiskBySpace(): Promise<LimitedDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  const filler = join(folder, 'filler')
  const grow = () =>
    appendFile(filler, Buffer.alloc(4096)).then(
      () => true,
      () => false,
    )
  return {
    folder,
    through: [],
    async fill() {
      while (await grow());
    },
    freeSpace: () => rm(filler),
    async remove() {
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}

/**
 * Limits the size of files, which needs no privileges. A write above the limit
 * fails with EFBIG instead of ENOSPC.
 */
export async function limitedDiskByFileSize(): Promise<LimitedDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'))
  const limit = async (service: Running, bytes: string) => {
    execFileSync('prlimit', [
      '--pid',
      String(service.process.pid),
      `--fsize=${bytes}:unlimited`,
    ])
  }
  // Ignores SIGXFSZ, which the kernel sends with EFBIG, and which would
  // otherwise end the process.
  const through = ['sh', '-c', `trap '' XFSZ; exec "$@"`, 'sh']
  return {
    folder,
    through,
    fill: (service) => limit(service, '100000'),
    freeSpace: (service) => limit(service, 'unlimited'),
    remove: () => rm(folder, { recursive: true }),
  }
}
