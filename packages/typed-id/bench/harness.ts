/** Something to time: `run` is called with one input after the other. */
export interface Contender {
  name: string
  inputs?: readonly unknown[]
  run: (input: never) => unknown
  /** How many results one call makes; 1 by default. */
  results?: number
}

const ROUNDS = 61
const BATCH_MS = 3

/** A loop of its own for each contender, so that V8 optimises each call site for one function only. */
type Loop = (run: unknown, inputs: readonly unknown[], calls: number, sink: { value: unknown }) => number

function loopFor(name: string): Loop {
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
 * Nanoseconds for one result of each contender: the median of rounds in which all take turns, so that a slow
 * moment of the machine hits all alike.
 */
export function measure(contenders: readonly Contender[]): number[] {
  const sink = { value: undefined }
  const runs = contenders.map(({ name, run, inputs = [0], results = 1 }) => {
    const loop = loopFor(name)
    let calls = 64
    while (loop(run, inputs, calls, sink) < BATCH_MS) calls *= 2
    const round = () => (loop(run, inputs, calls, sink) * 1e6) / calls / results
    return { round, times: [] as number[] }
  })
  for (let i = 0; i < ROUNDS; i++) {
    for (const { round, times } of runs) times.push(round())
  }
  return runs.map(({ times }) => median(times))
}

export function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number
}

/** Bytes allocated by one call; needs a young generation so large that nothing is collected meanwhile. */
export function bytesPerCall({ run, inputs = [0], name }: Contender): number {
  const loop = loopFor(name)
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
