import { TypedIdError } from './error.ts'

/** Fills the array with random bytes of Web Crypto, and returns it. Throws `missing_crypto` where there is none. */
export function fillRandom(bytes: Uint8Array): Uint8Array {
  const filled = globalThis.crypto?.getRandomValues?.(bytes as Uint8Array<ArrayBuffer>)
  if (filled) return filled
  throw new TypedIdError('missing_crypto', 'Web Crypto (react-native-get-random-values)')
}
