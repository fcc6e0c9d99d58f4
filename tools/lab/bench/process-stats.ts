import { readFileSync } from 'node:fs'

/**
 * Returns the processor time of a process and its children, also of ended
 * children, in milliseconds. Linux only.
 */
export function processorMsWithChildren(pid: number | undefined): number {
  const own = readTicks(pid)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
  try {
    const all = own + children.reduce((sum, child) => sum + readTicks(child), 0)
    return all * 10 // a tick is 10 ms
  } catch {
    // A child has ended meanwhile, so the time of the process now includes it.
    return processorMsWithChildren(pid)
  }
}

function readTicks(pid: number | string | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
    .split(' ')
    .slice(11)
    .map(Number)
  return user + system + endedUser + endedSystem
}
