import { setTimeout as pause } from 'node:timers/promises'

/** Ends a campaign that hangs. Longer than any recovery that campaigns wait for, so it measures nothing. */
const HANG_MS = 300_000

/** Waits until a number has grown. */
export function waitForMore(what: string, more: number, read: () => number): Promise<void> {
  const enough = read() + more
  return waitUntil(`${more} more ${what}`, () => read() >= enough)
}

/** Waits until a condition holds. Throws after five minutes. */
export async function waitUntil(
  description: string,
  holds: () => boolean | Promise<boolean>,
  intervalMs = 5,
): Promise<void> {
  const deadline = performance.now() + HANG_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${HANG_MS} ms until ${description}`)
    await pause(intervalMs)
  }
}
