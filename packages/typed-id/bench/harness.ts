/** An operation to measure. `run` is called with each of the inputs in turn. */
export interface Contender {
  name: string
  inputs?: readonly unknown[]
  run: (input: never) => unknown
}

const ROUNDS = 151
// Duration of a batch, shorter than a time slice of the scheduler, so that few
// batches include the work of another process.
const BATCH_MS = 0.5

/**
 * A loop that measures one function. Each function has a loop of its own,
 * because V8 optimises a call site best if it always calls the same function.
 */
type Loop = (
  run: unknown,
  inputs: readonly unknown[],
  calls: number,
  sink: { value: unknown },
) => number

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
 * Returns the nanoseconds per call of each contender: the median of 151 rounds
 * by default. Each round measures every contender in random order, so a
 * temporary slowdown of the machine affects all contenders.
 */
export function measure(
  contenders: readonly Contender[],
  rounds = ROUNDS,
): number[] {
  const sink = { value: undefined }
  const runs = contenders.map(({ name, run, inputs = [0] }) => {
    const loop = compileLoop(name)
    let calls = 64
    while (loop(run, inputs, calls, sink) < BATCH_MS) calls *= 2
    const round = () => (loop(run, inputs, calls, sink) * 1e6) / calls
    return { round, times: [] as number[] }
  })
  for (let i = 0; i < rounds; i++) {
    for (const { round, times } of shuffle(runs)) times.push(round())
  }
  return runs.map(({ times }) => median(times))
}

const shuffle = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value)

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1] as number
}
