import { onTestFinished, vi } from 'vitest'

/** Replaces functions of Node's clock by fakes until the test ends. */
export function useFakeTimers(
  options: Parameters<typeof vi.useFakeTimers>[0],
): void {
  vi.useFakeTimers(options)
  onTestFinished(() => void vi.useRealTimers())
}

export const useFakeTimeouts = () =>
  useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
