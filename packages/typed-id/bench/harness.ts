export interface Contender {
  name: string
  /** Must have 2^n elements, because the loop selects inputs by a bit mask. */
  inputs?: readonly unknown[]
  run: (input: never) => unknown
}

const ROUNDS = 151
// A batch of calls is shorter than a time slice of the system, so that few
// batches include the work of another process.
const BATCH_MS = 0.5

type Loop = (
  run: unknown,
  inputs: readonly unknown[],
  calls: number,
  sink: { value: unknown },
) => number

/**
 * Compiles a separate loop for each measured function, because V8 optimises a
 * call site best if the call site always calls the same function.
 */
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
 * Returns the median nanoseconds per call of each measured function. Every
 * round runs all functions in random order, so that a temporary slowdown of the
 * machine affects all of them.
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
