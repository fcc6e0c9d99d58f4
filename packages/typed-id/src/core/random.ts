import { TypedIdError } from './error.ts'

/**
 * Fills an array with random bytes and returns it. Throws `missing_crypto`
 * without Web Crypto.
 */
export function fillRandom(bytes: Uint8Array): Uint8Array {
  const filled = globalThis.crypto?.getRandomValues?.(
    bytes as Uint8Array<ArrayBuffer>,
  )
  if (filled) return filled
  throw new TypedIdError('missing_crypto', 'crypto.getRandomValues')
}

/**
 * Returns whether Node is writing a startup snapshot (`node --build-snapshot`).
 * Processes that start from a snapshot would all have its random bytes.
 */
export function isBuildingSnapshot(): boolean {
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule(id: string): V8 }
  }
  try {
    return process.getBuiltinModule('v8').startupSnapshot.isBuildingSnapshot()
  } catch {
    return false // not Node, or Next's edge runtime, where the function throws
  }
}

interface V8 {
  readonly startupSnapshot: { isBuildingSnapshot(): boolean }
}
