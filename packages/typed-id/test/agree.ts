/*
 * Holds src/text.ts against its twin on random and adversarial inputs: `pnpm agree [inputs] [seed]`.
 * The test run does the same on fewer inputs.
 */
import * as fast from '../src/text.ts'
import * as slow from './twin.ts'

/** Code units that look like digits to sloppy code: neighbours of digits, and units equal to one when cut short. */
const NASTY = [...'/:`gGAFilouILOU-_ \n\0{}\u0130\u0131\u212a\uff10\u0661\ud800\udfff\uffff'].map((c) =>
  c.charCodeAt(0),
)
for (const digit of '09afghvz-')
  for (const high of [0x80, 0x100, 0x8000, 0xff00]) NASTY.push(digit.charCodeAt(0) | high)

export function agree(inputs: number, seed: number): number {
  const random = mulberry32(seed)
  for (let done = 0; done < inputs; done++) {
    const number = anyNumber(random)
    const head = 'x'.repeat(random() % 8)
    const uuid = head + slow.uuidOfNumber(number)
    const suffix = head + slow.suffixOfNumber(number)
    if (done % 2) compare(uuid, suffix, head)
    else compare(spoil(uuid, random), spoil(suffix, random), head)
    const bytes = slow.bytesOfNumber(number)
    same('readBytes', fast.readBytes(bytes), true, bytes)
    same('writeUuid', fast.writeUuid(), slow.uuidOfNumber(number), bytes)
  }
  return inputs
}

function compare(uuid: string, suffix: string, head: string): void {
  const valid = slow.isUuid(uuid, head)
  same('isUuid', fast.isUuid(uuid, head), valid, uuid)
  same('readUuid', fast.readUuid(uuid, head), valid, uuid)
  if (valid) {
    const number = slow.numberOfUuid(uuid.slice(head.length))
    same('writeUuid', fast.writeUuid(), slow.uuidOfNumber(number), uuid)
    same('writeSuffix', fast.writeSuffix(), slow.suffixOfNumber(number), uuid)
    same('writeBytes', String(fast.writeBytes()), String(slow.bytesOfNumber(number)), uuid)
    same('writeTime', fast.writeTime()?.getTime(), slow.timeOfNumber(number), uuid)
  }
  const validSuffix = slow.isSuffix(suffix, head)
  same('readSuffix', fast.readSuffix(suffix, head), validSuffix, suffix)
  if (validSuffix) {
    const number = slow.numberOfSuffix(suffix.slice(head.length))
    same('writeUuid', fast.writeUuid(), slow.uuidOfNumber(number), suffix)
    same('writeSuffix', fast.writeSuffix(), suffix.slice(head.length), suffix)
  }
}

function same(name: string, found: unknown, expected: unknown, input: unknown): void {
  if (!Object.is(found, expected)) {
    throw new Error(`${name}(${JSON.stringify(input)}) is ${found}, its twin says ${expected}`)
  }
}

/** 128 bits: even ones, few ones, few zeros, or a version 7. */
function anyNumber(random: () => number): bigint {
  const word = () => BigInt(random())
  const number = (word() << 96n) | (word() << 64n) | (word() << 32n) | word()
  const kind = random() % 8
  if (kind === 0) return 1n << (number & 127n)
  if (kind === 1) return (2n ** 128n - 1n) ^ (1n << (number & 127n))
  if (kind === 2) return number >> (number & 127n)
  if (kind === 3) return (number & ~(0xfn << 76n) & ~(0x3n << 62n)) | (0x7n << 76n) | (0x2n << 62n)
  return number
}

/** The text with one to three units replaced, removed or put in. */
function spoil(text: string, random: () => number): string {
  for (let times = (random() % 3) + 1; times > 0; times--) {
    const at = random() % (text.length + 1)
    const kind = random() % 8
    const unit =
      kind < 4 ? (NASTY[random() % NASTY.length] as number) : kind < 6 ? random() % 128 : random() % 65536
    const removed = kind === 7 ? random() % 3 : 1
    text = text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + removed)
  }
  return text
}

function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return (t ^ (t >>> 14)) >>> 0
  }
}

if (import.meta.main) {
  const [inputs = 10_000_000, seed = 1] = process.argv.slice(2).map(Number)
  const start = performance.now()
  let done = 0
  while (done < inputs) {
    done += agree(Math.min(250_000, inputs - done), seed + done)
    if (process.stdout.isTTY) process.stdout.write(`\r${done} of ${inputs}`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(
    `fast and slow code agree on ${done} inputs to each of 8 functions, seed ${seed}, in ${seconds} s`,
  )
}
