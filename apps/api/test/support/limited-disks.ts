import { execFileSync } from 'node:child_process'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Running } from './process.ts'

/** A folder in which there can be no room for more. */
export interface Disk {
  readonly folder: string
  /** What a service is started through, while there is room and when there is none. */
  readonly through: string[]
  readonly throughFull: string[]
  fill(service?: Running): Promise<void>
  makeRoom(service: Running): Promise<void>
  remove(): Promise<void>
}

/** A file system of 2 MB in memory, which only root can have. */
export async function smallDisk(): Promise<Disk> {
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
    throughFull: [],
    async fill() {
      while (await grow());
    },
    makeRoom: () => rm(filler),
    async remove() {
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true })
    },
  }
}

/** A limit to the size of files, which needs no rights: a write beyond it fails with EFBIG instead of ENOSPC. */
export async function smallFiles(): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'))
  const limit = async (service: Running | undefined, bytes: string) => {
    if (service === undefined) return
    execFileSync('prlimit', ['--pid', String(service.process.pid), `--fsize=${bytes}:unlimited`])
  }
  // The signal that comes with the error would end the process.
  const through = ['sh', '-c', `trap '' XFSZ; exec "$@"`, 'sh']
  return {
    folder,
    through,
    throughFull: [...through, 'prlimit', '--fsize=4096:unlimited'],
    fill: (service) => limit(service, '100000'),
    makeRoom: (service) => limit(service, 'unlimited'),
    remove: () => rm(folder, { recursive: true }),
  }
}
