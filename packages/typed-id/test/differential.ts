/*
 * A differential test: compares src/core/text.ts with the reference implementation on random and adversarial inputs.
 * `pnpm --filter typed-id run differential [inputs] [seed]`; the tests run it with fewer inputs.
 */
import { fillDigitValues } from '../src/core/digits.ts'
import * as fast from '../src/core/text.ts'
import * as reference from './reference.ts'

/**
 * Code units that careless code accepts as digits: the neighbours of digits in ASCII, letters that change case, and
 * units that equal a digit when they are truncated to 7, 8 or 15 bits.
 */
const ADVERSARIAL = [...'/:`gGAFilouILOU-_ \n\0{}\u0130\u0131\u212a\uff10\u0661\ud800\udfff\uffff'].map((c) =>
  c.charCodeAt(0),
)
for (const digit of '09afghvz-')
  for (const high of [0x80, 0x100, 0x8000, 0xff00]) ADVERSARIAL.push(digit.charCodeAt(0) | high)

/** Returns the number of inputs that were compared. Throws on the first difference. */
export function compareWithReference(inputs: number, seed: number): number {
  fillDigitValues() // as `defineId` does
  const random = mulberry32(seed)
  for (let done = 0; done < inputs; done++) {
    const number = randomNumber(random)
    const start = 'x'.repeat(random() % 8)
    const uuid = start + reference.uuidOfNumber(number)
    const suffix = start + reference.suffixOfNumber(number)
    if (done % 2) compare(uuid, suffix, start)
    else compare(corrupt(uuid, random), corrupt(suffix, random), start)
    const bytes = reference.bytesOfNumber(number)
    expectSame(
      'bytesToStandard',
      fast.bytesToStandard(bytes, start),
      start + reference.uuidOfNumber(number),
      bytes,
    )
  }
  return inputs
}

function compare(uuid: string, suffix: string, start: string): void {
  const valid = reference.isUuid(uuid, start)
  expectSame('isUuid', fast.isUuid(uuid, start), valid, uuid)
  const number = valid ? reference.numberOfUuid(uuid.slice(start.length)) : undefined
  for (const [name, convert, convertNumber] of FROM_STANDARD) {
    const expected = number === undefined ? 'rejected' : convertNumber(number)
    expectSame(name, convert(uuid, start), expected, uuid)
  }
  const validSuffix = reference.isSuffix(suffix, start)
  expectSame('isSuffix', fast.isSuffix(suffix, start), validSuffix, suffix)
  const standard = validSuffix
    ? reference.uuidOfNumber(reference.numberOfSuffix(suffix.slice(start.length)))
    : undefined
  expectSame('shortToStandard', fast.shortToStandard(suffix, start, ''), standard, suffix)
}

/** The conversions from a standard id: name, fast code, reference implementation. */
const FROM_STANDARD: readonly [
  string,
  (id: string, start: string) => unknown,
  (number: bigint) => unknown,
][] = [
  [
    'standardToSuffix',
    (id, start) => orRejected((reject) => fast.standardToSuffix(id, start, reject)),
    reference.suffixOfNumber,
  ],
  [
    'standardToBytes',
    (id, start) => orRejected((reject) => String(fast.standardToBytes(id, start, reject))),
    (number) => String(reference.bytesOfNumber(number)),
  ],
  [
    'standardToTime',
    (id, start) => orRejected((reject) => fast.standardToTime(id, start, reject)?.getTime()),
    reference.timeOfNumber,
  ],
]

const REJECTED = new Error('rejected')

function throwRejected(): never {
  throw REJECTED
}

/** Returns the result of a conversion, or 'rejected' if the conversion called `reject`. */
function orRejected(convert: (reject: () => never) => unknown): unknown {
  try {
    return convert(throwRejected)
  } catch (error) {
    if (error === REJECTED) return 'rejected'
    throw error
  }
}

function expectSame(name: string, found: unknown, expected: unknown, input: unknown): void {
  if (!Object.is(found, expected)) {
    throw new Error(
      `${name}(${JSON.stringify(input)}) is ${found}, the reference implementation returns ${expected}`,
    )
  }
}

/** Returns 128 bits: random ones, a single one, a single zero, a small number, or a version 7 UUID. */
function randomNumber(random: () => number): bigint {
  const word = () => BigInt(random())
  const number = (word() << 96n) | (word() << 64n) | (word() << 32n) | word()
  const kind = random() % 8
  if (kind === 0) return 1n << (number & 127n)
  if (kind === 1) return (2n ** 128n - 1n) ^ (1n << (number & 127n))
  if (kind === 2) return number >> (number & 127n)
  if (kind === 3) return (number & ~(0xfn << 76n) & ~(0x3n << 62n)) | (0x7n << 76n) | (0x2n << 62n)
  return number
}

/** Returns the text with one to three code units replaced, removed or inserted. */
function corrupt(text: string, random: () => number): string {
  for (let times = (random() % 3) + 1; times > 0; times--) {
    const at = random() % (text.length + 1)
    const kind = random() % 8
    const unit =
      kind < 4
        ? (ADVERSARIAL[random() % ADVERSARIAL.length] as number)
        : kind < 6
          ? random() % 128
          : random() % 65536
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
    done += compareWithReference(Math.min(250_000, inputs - done), seed + done)
    if (process.stdout.isTTY) process.stdout.write(`\r${done} of ${inputs}`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`no difference from the reference implementation in ${done} inputs, seed ${seed}, ${seconds} s`)
}
