/** How long a batch may run before another one starts beside it, in milliseconds: its connection may be lost. */
const PATIENCE_MS = 50

/** Maximum number of batches that run at the same time. */
const MAX_RUNNING = 4

/**
 * Returns a function that queues an item. All items that arrive in one turn of the event loop, or while `running` batches
 * run, form the next batch. Another batch starts as well when the last one has run for 50 ms. `run` must not throw.
 */
export function inBatches<Item>(
  limit: number,
  running: number,
  run: (items: Item[]) => Promise<void>,
): (item: Item) => void {
  const queue: Item[] = []
  let count = 0
  let startedAt = 0

  async function runAll(): Promise<void> {
    for (;;) {
      await nextTurn()
      if (queue.length === 0) break
      startedAt = performance.now()
      await run(queue.splice(0, limit))
    }
    count -= 1
  }

  return (item) => {
    queue.push(item)
    if (count >= running && (count >= MAX_RUNNING || performance.now() - startedAt < PATIENCE_MS)) return
    count += 1
    void runAll()
  }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
