import { TypedIdError } from './error.ts'

export function fillRandom(bytes: Uint8Array): Uint8Array {
  const filled = globalThis.crypto?.getRandomValues?.(
    bytes as Uint8Array<ArrayBuffer>,
  )
  if (filled) return filled
  throw new TypedIdError('missing_crypto', 'crypto.getRandomValues')
}

export function isBuildingSnapshot(): boolean {
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule(id: string): V8 }
  }
  try {
    return process.getBuiltinModule('v8').startupSnapshot.isBuildingSnapshot()
  } catch {
    // The runtime does not have `isBuildingSnapshot`, or is Next's edge
    // runtime, in which it throws. Neither writes startup snapshots.
    return false
  }
}

interface V8 {
  readonly startupSnapshot: { isBuildingSnapshot(): boolean }
}
