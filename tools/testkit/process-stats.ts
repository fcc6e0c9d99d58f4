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
export function processorMs(pid: number | undefined): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11)
  return (Number(user) + Number(system)) * 10
}

/** Samples the resident memory of a process every 20 ms until `stop`. */
export function watchMemory(pid: number | undefined) {
  const start = residentMegabytes(pid)
  let peak = start
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(pid))
  }, 20)
  return {
    start,
    peak: () => peak,
    stop: () => clearInterval(timer),
  }
}
