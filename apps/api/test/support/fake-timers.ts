import { onTestFinished, vi } from 'vitest'

type Options = Exclude<Parameters<typeof vi.useFakeTimers>[0], undefined>

/** Replaces functions of Node's clock by fakes until the test ends. */
export function useFakeTimers(toFake: Options['toFake'], now?: number): void {
  vi.useFakeTimers({ toFake, ...(now !== undefined && { now }) })
  onTestFinished(() => void vi.useRealTimers())
}

export const useFakeTimeouts = () =>
  useFakeTimers(['setTimeout', 'clearTimeout'])
