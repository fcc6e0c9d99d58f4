/*
 * SipHash-2-4 (Aumasson and Bernstein, 2012) for messages of 8 to 15 bytes, which are two blocks of 64 bits. A number of
 * 64 bits is two int32: `l0` and `h0` are the low and the high half of the variable v0 of the paper.
 *
 * No branch and no index depends on the key or the message. The carry of an addition is therefore computed by bitwise
 * operators, not by a comparison.
 */

/** v0 to v3 after the key was added: 32 bytes, the most significant byte of each number first. */
export type SipState = DataView

/** The initial v0 to v3. */
const INITIAL = 'somepseudorandomlygeneratedbytes'

/** The result of the latest call of `sipHash`. */
export let low = 0
export let high = 0

/** Returns the state for a key of 16 bytes, given as a string with one character per byte. */
export function createSipState(key: string): SipState {
  return new DataView(
    Uint8Array.from(INITIAL, (initial, i) => initial.charCodeAt(0) ^ key.charCodeAt((i & 15) ^ 7)).buffer,
  )
}

/** Sets `low` and `high` to the hash of two blocks, each given as its low and its high half. */
export function sipHash(state: SipState, a: number, b: number, c: number, d: number): void {
  let h0 = state.getInt32(0)
  let l0 = state.getInt32(4)
  let h1 = state.getInt32(8)
  let l1 = state.getInt32(12)
  let h2 = state.getInt32(16)
  let l2 = state.getInt32(20)
  let h3 = state.getInt32(24) ^ b
  let l3 = state.getInt32(28) ^ a
  let next: number // the new low half of a variable, while its old value is still needed
  for (let left = 8; left--; ) {
    next = (l0 + l1) | 0
    h0 = (h0 + h1 + carry(l0, l1, next)) | 0
    l0 = next
    next = (l2 + l3) | 0
    h2 = (h2 + h3 + carry(l2, l3, next)) | 0
    l2 = next

    next = rotate(l1, h1, 13) ^ l0
    h1 = rotate(h1, l1, 13) ^ h0
    l1 = next
    next = rotate(l3, h3, 16) ^ l2
    h3 = rotate(h3, l3, 16) ^ h2
    l3 = next

    next = h0 // rotates v0 by 32 bits
    h0 = l0
    l0 = next

    next = (l2 + l1) | 0
    h2 = (h2 + h1 + carry(l2, l1, next)) | 0
    l2 = next
    next = (l0 + l3) | 0
    h0 = (h0 + h3 + carry(l0, l3, next)) | 0
    l0 = next

    next = rotate(l1, h1, 17) ^ l2
    h1 = rotate(h1, l1, 17) ^ h2
    l1 = next
    next = rotate(l3, h3, 21) ^ l0
    h3 = rotate(h3, l3, 21) ^ h0
    l3 = next

    next = h2 // rotates v2 by 32 bits
    h2 = l2
    l2 = next

    if (left === 6) {
      // The end of the first block, and the start of the second one.
      l0 ^= a
      h0 ^= b
      l3 ^= c
      h3 ^= d
    }
    if (left === 4) {
      l0 ^= c
      h0 ^= d
      l2 ^= 0xff
    }
  }
  low = l0 ^ l1 ^ l2 ^ l3
  high = h0 ^ h1 ^ h2 ^ h3
}

/** Returns the carry of the sum of two low halves. */
function carry(a: number, b: number, sum: number): number {
  return ((a & b) | ((a | b) & ~sum)) >>> 31
}

/** Returns one half of a number that is rotated to the left, for this half and the other one. */
function rotate(half: number, other: number, bits: number): number {
  return (half << bits) | (other >>> -bits) // a shift by 32 - bits: JavaScript uses the lowest 5 bits
}
