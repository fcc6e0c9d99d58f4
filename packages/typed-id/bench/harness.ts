import { readFileSync } from 'node:fs'

/** An operation to measure. `run` is called with each of the inputs in turn. */
export interface Contender {
  name: string
  inputs?: readonly unknown[]
  run: (input: never) => unknown
  /** Number of results that one call returns. 1 by default. */
  results?: number
}

const ROUNDS = 151
// Shorter than a time slice of the scheduler, so few batches include the work of another process.
const BATCH_MS = 0.5

/** A loop that calls one function. V8 optimises a call site best if it always calls the same function. */
type Loop = (run: unknown, inputs: readonly unknown[], calls: number, sink: { value: unknown }) => number

function compileLoop(name: string): Loop {
  return new Function(
    'run',
    'inputs',
    'calls',
    'sink',
    `const mask = inputs.length - 1
     const start = performance.now()
     for (let i = 0; i < calls; i++) sink.value = run(inputs[i & mask])
     return performance.now() - start // ${name}`,
  ) as Loop
}

/**
 * Returns the nanoseconds per result of each contender: the median of 151 rounds by default. Each round measures every contender, so
 * a temporary slowdown of the machine affects all of them.
 */
export function measure(contenders: readonly Contender[], rounds = ROUNDS): number[] {
  const sink = { value: undefined }
  const runs = contenders.map(({ name, run, inputs = [0], results = 1 }) => {
    const loop = compileLoop(name)
    let calls = 64
    while (loop(run, inputs, calls, sink) < BATCH_MS) calls *= 2
    const round = () => (loop(run, inputs, calls, sink) * 1e6) / calls / results
    return { round, times: [] as number[] }
  })
  for (let i = 0; i < rounds; i++) {
    for (const { round, times } of runs) times.push(round())
  }
  return runs.map(({ times }) => median(times))
}

export function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number
}

/**
 * Returns the bytes that one call allocates. Node must run with a young generation that is large enough for all calls
 * (`--max-semi-space-size`): a garbage collection during the measurement would falsify it.
 */
export function bytesPerCall({ run, inputs = [0], name }: Contender): number {
  const loop = compileLoop(name)
  const sink = { value: undefined }
  const calls = 100_000
  for (let i = 0; i < 20; i++) loop(run, inputs, calls, sink)
  const samples = Array.from({ length: 9 }, () => {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    loop(run, inputs, calls, sink)
    return (process.memoryUsage().heapUsed - before) / calls
  })
  return median(samples)
}

/**
 * Returns a function that reads the processor time of a process in milliseconds. The first number of the file is the
 * time on a processor in nanoseconds (Linux, Documentation/scheduler/sched-stats.rst).
 */
export function createProcessorClock(pid: number): () => number {
  const file = `/proc/${pid}/schedstat`
  return () => Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6
}
