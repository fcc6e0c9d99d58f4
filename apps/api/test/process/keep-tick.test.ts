import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test, vi } from 'vitest'

const MODULE = new URL('../../src/server/keep-tick.ts', import.meta.url).href

/** Runs in the process of the service: prints the type of the kept tick on SIGUSR2. */
const PROBE = `
  import { keptTick } from ${JSON.stringify(MODULE)}
  process.on('SIGUSR2', () => console.error(typeof keptTick()))
`

test('a process of the service keeps a tick alive', async () => {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`
  const service = await startServiceForTest({ NODE_OPTIONS: `--import ${probe}` })
  service.process.kill('SIGUSR2')
  await vi.waitFor(() => expect(service.stderr()).toBe('object\n'))
})
