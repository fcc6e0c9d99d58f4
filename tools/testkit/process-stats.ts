import { readFileSync } from 'node:fs'

/** Resident memory of a process in megabytes; 0 if the process has ended. Linux only. */
export function residentMegabytes(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (Number(kilobytes) * 1024) / 1e6
  } catch {
    return 0
  }
}

/** Processor time of all threads of a process in milliseconds. Linux counts it in hundredths of a second. */
function processorMs(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11)
  return (Number(user) + Number(system)) * 10
}

/** Processor time of a process and of its children, those that have ended included, in milliseconds. */
export function processorMsWithChildren(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system, endedUser, endedSystem] = fields.split(' ').slice(11).map(Number)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const own = [user, system, endedUser, endedSystem].reduce((sum: number, ticks = 0) => sum + ticks, 0) * 10
  return children.reduce((sum, child) => sum + processorMs(Number(child)), own)
}
