import { TypedIdError } from './error.ts'

/** Fills an array with random bytes and returns it. */
export function fillRandom(bytes: Uint8Array): Uint8Array {
  const filled = globalThis.crypto?.getRandomValues?.(
    bytes as Uint8Array<ArrayBuffer>,
  )
  if (filled) return filled
  throw new TypedIdError('missing_crypto', 'crypto.getRandomValues')
}

/**
 * Returns whether Node is writing a startup snapshot (`node --build-snapshot`).
 * Random bytes in a snapshot are the same in each process that starts from it.
 */
export function isBuildingSnapshot(): boolean {
  const { process } = globalThis as unknown as {
    process: { getBuiltinModule(id: string): V8 }
  }
  try {
    return process.getBuiltinModule('v8').startupSnapshot.isBuildingSnapshot()
  } catch {
    return false // the runtime is not Node, or it is Next's edge runtime, whose function throws
  }
}

interface V8 {
  readonly startupSnapshot: { isBuildingSnapshot(): boolean }
}
