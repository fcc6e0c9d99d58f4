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
    process: {
      getBuiltinModule(id: string): {
        startupSnapshot: { isBuildingSnapshot(): boolean }
      }
    }
  }
  try {
    return process.getBuiltinModule('v8').startupSnapshot.isBuildingSnapshot()
  } catch {
    // In runtimes that cannot build snapshots, a function in the `try` block is
    // missing, or throws, as in the edge runtime of Next.js.
    return false
  }
}
