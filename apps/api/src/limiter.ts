export interface Limiter {
  /** Runs the task when there is room, first come, first served. Throws an OverloadedError at once when too many wait. */
  run<T>(task: () => Promise<T>): Promise<T>
  readonly running: number
  readonly waiting: number
  /** Tasks that found no room, since the start. */
  readonly refused: number
}

/** More was asked for than may wait; the same request may succeed a little later. */
export class OverloadedError extends Error {
  override readonly name = 'OverloadedError'
}

/** Lets at most `running` tasks run at once, and at most `waiting` others wait for them. */
export function createLimiter(limits: { readonly running: number; readonly waiting: number }): Limiter {
  const queue: (() => void)[] = []
  let running = 0
  let refused = 0

  async function turn(): Promise<void> {
    if (running < limits.running) {
      running += 1
      return
    }
    if (queue.length >= limits.waiting) {
      refused += 1
      throw new OverloadedError(`${queue.length} wait already`)
    }
    // Whoever ends gives its place to the next, so that nobody who comes later can take it.
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  function leave(): void {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return {
    async run(task) {
      await turn()
      try {
        return await task()
      } finally {
        leave()
      }
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.length
    },
    get refused() {
      return refused
    },
  }
}
