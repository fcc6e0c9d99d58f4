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
    // Browsers and some runtimes lack one of these functions. In the edge
    // runtime of Next.js, a call throws.
    return false
  }
}
