// biome-ignore-all lint/style/noNonNullAssertion: every index is one of 16 bytes

import { TypedIdError } from './error.ts'
import { bytesToStandard } from './text.ts'
import type { TrustedSource, UuidSource } from './uuid-source.ts'

/**
 * Returns a version 4 UUID (RFC 9562): 122 random bits, for ids that must not reveal their creation time.
 *
 * Uses `crypto.randomUUID`, and `crypto.getRandomValues` where that is missing: pages without https, React Native. Node
 * prepares the random bytes of 128 UUIDs in advance, so two virtual machines that are started from one memory snapshot
 * can return the same UUIDs. For secrets in such an environment, pass a source that asks the system each time:
 * `{ uuid: () => crypto.randomUUID({ disableEntropyCache: true }) }` with `crypto` from `node:crypto`. A child process
 * does not share these bytes: Node starts it as a new process.
 *
 * @throws TypedIdError `missing_crypto` where there is no `crypto.getRandomValues`.
 * @example
 * const SessionId = defineId('session', { uuid: uuidv4 })
 */
export const uuidv4: UuidSource = /* @__PURE__ */ createUuidv4()

function createUuidv4(): UuidSource {
  const source: UuidSource & Partial<TrustedSource> = () => randomUuidv4()
  source['~generator'] = (start) => () => start + randomUuidv4()
  return source
}

function randomUuidv4(): string {
  return globalThis.crypto?.randomUUID?.() ?? randomUuid(4)
}

/** Returns a UUID of new random bytes with the given version. */
export function randomUuid(version: number, setTime?: (bytes: Uint8Array) => void): string {
  const bytes = fillRandom(new Uint8Array(16))
  setTime?.(bytes)
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4)
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytesToStandard(bytes, '') as string
}

export function fillRandom(bytes: Uint8Array): Uint8Array {
  const filled = globalThis.crypto?.getRandomValues?.(bytes as Uint8Array<ArrayBuffer>)
  if (filled) return filled
  throw new TypedIdError('missing_crypto', 'Web Crypto (react-native-get-random-values)')
}
