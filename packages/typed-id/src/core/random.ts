import { TypedIdError } from './error.ts'

export function fillRandom(bytes: Uint8Array): Uint8Array {
  const filled = globalThis.crypto?.getRandomValues?.(
    bytes as Uint8Array<ArrayBuffer>,
  )
  if (filled) return filled
  throw new TypedIdError('missing_crypto', 'crypto.getRandomValues')
}

/** Returns whether Node is writing a startup snapshot. */
export function isBuildingSnapshot(): boolean {
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule(id: string): V8 }
  }
  try {
    return process.getBuiltinModule('v8').startupSnapshot.isBuildingSnapshot()
  } catch {
    // `isBuildingSnapshot` is missing, or throws in Next's edge runtime.
    return false
  }
}

interface V8 {
  readonly startupSnapshot: { isBuildingSnapshot(): boolean }
}
