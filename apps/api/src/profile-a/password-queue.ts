import { OverloadError } from '../errors.ts'

export type PasswordQueue = ReturnType<typeof createPasswordQueue>

/** Creates a queue that runs at most `concurrency` tasks at the same time. At most `queueLimit` further tasks wait. */
export function createPasswordQueue(limits: { readonly concurrency: number; readonly queueLimit: number }) {
  const waiting: (() => void)[] = []
  let running = 0
  let rejected = 0

  async function acquire(): Promise<void> {
    if (running < limits.concurrency) {
      running += 1
      return
    }
    if (waiting.length >= limits.queueLimit) {
      rejected += 1
      throw new OverloadError(`the queue is full: ${waiting.length} tasks are waiting`)
    }
    // `release` passes the slot on without freeing it, so a task that arrives later cannot take it.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }

  return {
    /**
     * Runs the task when a slot is free, first come, first served.
     * @throws OverloadError immediately when the queue is full.
     */
    async run<T>(task: () => Promise<T>): Promise<T> {
      await acquire()
      try {
        return await task()
      } finally {
        release()
      }
    },
    measurements: [
      {
        type: 'gauge',
        name: 'password_hashes_running',
        help: 'Number of passwords currently being hashed',
        read: () => running,
      },
      {
        type: 'gauge',
        name: 'password_hashes_waiting',
        help: 'Number of passwords waiting to be hashed',
        read: () => waiting.length,
      },
      {
        type: 'counter',
        name: 'password_hashes_rejected_total',
        help: 'Number of passwords rejected because the queue was full',
        read: () => rejected,
      },
    ] as const,
  }
}
