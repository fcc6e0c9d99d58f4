import { createSipState, type SipState } from './siphash.ts'

/** 16 bytes as 32 hexadecimal digits, or as 22 digits of base64: the last 4 of their 132 bits are zero. */
const KEY = /^(?:([\da-fA-F]):)?(?:([\da-fA-F]{32})|([\da-zA-Z+/]{21}[AQgw])(?:==)?)$/

/** The keys by their numbers, 0 to 15, the current one first; or one key with the number NaN. */
export type KeyRing = ReadonlyMap<number, SipState>

/**
 * Returns the keys for their texts.
 *
 * @throws TypeError for an invalid list. The message names the position of a key, and contains no part of its text.
 */
export function parseKeys(texts: readonly string[]): KeyRing {
  const ring = new Map<number, SipState>()
  for (const text of texts[0] ? texts : ['']) {
    const [found, digit, hex, base64] = KEY.exec(text) ?? []
    const number = Number(`0x${digit}`)
    if (!found || ring.has(number) || (!digit && texts[1]))
      throw new TypeError(`keys[${ring.size}]: expected <own hex digit>:<16 bytes in hex or base64>`)
    ring.set(
      number,
      createSipState(
        hex?.replace(/../g, (byte) => String.fromCharCode(Number(`0x${byte}`))) ?? atob(base64 as string),
      ),
    )
  }
  return ring
}
