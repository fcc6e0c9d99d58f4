import { spawnSync } from 'node:child_process'
import { cpus, tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Two machines of one kind have the same model and number of processors. */
export const describeKind = (): string => `${cpus()[0]?.model}, ${cpus().length} cores`

/** The machine that a figure was measured on. */
export const describeMachine = (): string => `${describeKind()}, Node ${process.version}`

/** Describes a measurement on this machine: date and machine in the first line, then tolerance and cost of system calls. */
export function describeMeasurement(): string {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  return [
    `Measured on ${date} on this machine: ${describeMachine()}.`,
    'In another run on it, rates and times may differ by a factor of 3.',
    measureSystemCalls(),
  ].join('\n')
}

/** Measures system calls on which figures depend, and returns a sentence. Uses Python: Node has no `fcntl`. */
function measureSystemCalls(): string {
  const script = fileURLToPath(new URL('system-calls.py', import.meta.url))
  const { stdout, status } = spawnSync('python3', [script, tmpdir()], { encoding: 'utf8' })
  if (status !== 0) return 'System calls were not measured: that needs `python3`.'
  const { write, fcntl, fdatasync } = JSON.parse(stdout)
  const us = (nanoseconds: number) => `${(nanoseconds / 1000).toFixed(2)} µs`
  return [
    `System calls: \`write\` of a byte to /dev/null ${us(write)}, \`fcntl\` to lock or unlock a byte ${us(fcntl)},`,
    `\`write\` of 4 KB and \`fdatasync\` ${us(fdatasync)} (called from Python, less an empty call).`,
  ].join('\n')
}
