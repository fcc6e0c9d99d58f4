import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Measures system calls on which the ratios depend, and returns a sentence. Uses Python: Node has no `fcntl`. */
export function measureSystemCalls(folder: string): string {
  const script = fileURLToPath(new URL('system-calls.py', import.meta.url))
  const { stdout, status } = spawnSync('python3', [script, folder], { encoding: 'utf8' })
  if (status !== 0) return 'System calls were not measured: that needs `python3`.'
  const { write, fcntl, fdatasync } = JSON.parse(stdout)
  const us = (nanoseconds: number) => `${(nanoseconds / 1000).toFixed(2)} µs`
  return [
    `System calls: \`write\` of a byte to /dev/null ${us(write)}, \`fcntl\` to lock or unlock a byte ${us(fcntl)},`,
    `\`write\` of 4 KB and \`fdatasync\` ${us(fdatasync)} (called from Python, less an empty call).`,
  ].join('\n')
}
