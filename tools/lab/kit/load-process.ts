import { type Load, performLoad } from './load.ts'

/** The process that `startLoads` forks: it receives loads, and sends one message at the start and one with the results. */
process.once('message', async (loads: Load[]) => {
  process.send?.('started')
  process.send?.(await Promise.all(loads.map(performLoad)))
})
