import { readFileSync } from 'node:fs'

/**
 * Returns a function that reads the processor time of a process in milliseconds. The first number of the file is the
 * time on a processor in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst).
 */
export function createProcessorClock(pid: number): () => number {
  const file = `/proc/${pid}/schedstat`
  return () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}
