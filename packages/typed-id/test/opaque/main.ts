/*
 * Measures opaque ids under random keys: `pnpm --filter typed-id run opaque [ids]`. Fails if an id does not return, in
 * either direction, or if a measure is outside the noise. The tests run the measures with fewer ids.
 */
import { randomBytes } from 'node:crypto'
import { defineId, uuidv4 } from '../../src/index.ts'
import { opaqueIds } from '../../src/opaque.ts'
import { createIds, measureAvalanche, measureOrder } from './measures.ts'

const COUNT = Number(process.argv[2] ?? 10_000_000)
const SAMPLES = Math.min(COUNT, 1_000_000)
const UserId = defineId('user')

function expectThat(claim: boolean, message: string): void {
  console.log(`${claim ? 'ok  ' : 'FAIL'}  ${message}`)
  if (!claim) process.exitCode = 1
}

for (const number of ['', '7:']) {
  const userIds = opaqueIds(UserId, { keys: [number + randomBytes(16).toString('base64')] })
  const { toOpaque, fromOpaque } = userIds
  console.log(number ? 'a key with a number' : 'a key without a number (UUIDv47)')

  // An id that returns was mapped to an id of its own; an opaque id that returns is the opaque id of a stored id.
  let differences = 0
  for (const id of createIds(COUNT, 1000)) if (fromOpaque(toOpaque(id)) !== id) differences++
  expectThat(differences === 0, `injective: ${COUNT - differences} of ${COUNT} stored ids return`)
  differences = 0
  for (let i = 0; i < COUNT; i++) {
    const opaque = UserId.fromUuid(number ? number.charAt(0) + uuidv4().slice(1) : uuidv4())
    if (toOpaque(fromOpaque(opaque)) !== opaque) differences++
  }
  expectThat(differences === 0, `surjective: ${COUNT - differences} of ${COUNT} opaque ids return`)

  const { mean, worst } = measureAvalanche(userIds, SAMPLES)
  const noise = 5 / Math.sqrt(4 * SAMPLES)
  expectThat(
    worst < noise,
    `avalanche: ${mean.toFixed(5)} of the masked bits change, one bit at most ±${worst.toFixed(5)}`,
  )
  const { rank, neighbours } = measureOrder(userIds, SAMPLES)
  expectThat(
    Math.abs(rank) < 4 / Math.sqrt(SAMPLES),
    `rank correlation with the order of creation: ${rank.toFixed(5)}`,
  )
  const recognized = `ids whose counter follows that of the id before: ${neighbours} of ${SAMPLES}`
  if (number) expectThat(neighbours < 10, recognized)
  else console.log(`      ${recognized} (UUIDv47 does not hide the counter)`)
}
