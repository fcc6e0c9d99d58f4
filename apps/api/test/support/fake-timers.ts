import { onTestFinished, vi } from 'vitest'

export function useFakeTimers(
  options: Parameters<typeof vi.useFakeTimers>[0],
): void {
  vi.useFakeTimers(options)
  onTestFinished(() => void vi.useRealTimers())
}

export const useFakeTimeouts = () =>
  useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
