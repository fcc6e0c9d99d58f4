import { readFileSync, writeFileSync } from 'node:fs'
import { nanoid } from 'nanoid'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'
import { defineId, type IdOf } from 'typed-id'
import manifest from 'typed-id/package.json' with { type: 'json' }
import { fromString, toUUID } from 'typed-id/typeid'
import * as typeidJs from 'typeid-js'
import { typeid } from 'uniku/typeid'
import * as uuid from 'uuid'
import vectors from '../../packages/typed-id/test/vectors/typeid.json' with {
  type: 'json',
}

interface Peer {
  readonly name: string
  generate(): string
  readonly generateOther?: () => string
  readonly compilerDistinguishesTypes: boolean
  readonly accepts?: (text: string) => unknown
  readonly uuidOfTypeid?: (text: string) => string
  readonly upperCaseId?: string
  readonly main: unknown
}

type IsDistinct<A, B> = A extends B ? false : true

const UserId = defineId('user')
const TeamId = defineId('team')
const UPPERCASE_UUID = '0190163D-8694-739B-AEA5-966C26F8AD91'

const PEERS: readonly Peer[] = [
  {
    name: 'typed-id',
    generate: UserId.generate,
    generateOther: TeamId.generate,
    compilerDistinguishesTypes: true satisfies IsDistinct<
      IdOf<typeof TeamId>,
      IdOf<typeof UserId>
    >,
    accepts: UserId.is,
    uuidOfTypeid: (text) => toUUID(fromString(text)),
    upperCaseId: `user-${UPPERCASE_UUID}`,
    main: UserId,
  },
  {
    name: 'typeid-js',
    generate: () => typeidJs.typeidUnboxed('user'),
    generateOther: () => typeidJs.typeidUnboxed('team'),
    compilerDistinguishesTypes: true satisfies IsDistinct<
      typeidJs.TypeId<'team'>,
      typeidJs.TypeId<'user'>
    >,
    accepts: (text) => typeidJs.fromString(text, 'user'),
    uuidOfTypeid: (text) => typeidJs.toUUID(typeidJs.fromString(text)),
    upperCaseId: 'user_01J0B3V1MMEEDTX9CPDGKFHBCH',
    main: typeidJs.typeidUnboxed,
  },
  {
    name: 'uniku',
    generate: () => typeid('user'),
    generateOther: () => typeid('team'),
    compilerDistinguishesTypes: false satisfies IsDistinct<
      ReturnType<typeof typeid.fromUuid>,
      string
    >,
    accepts: typeid.isValid,
    uuidOfTypeid: typeid.toUuid,
    upperCaseId: 'user_01J0B3V1MMEEDTX9CPDGKFHBCH',
    main: typeid,
  },
  {
    name: 'uuid',
    generate: () => uuid.v7(),
    compilerDistinguishesTypes: false,
    accepts: uuid.validate,
    upperCaseId: UPPERCASE_UUID,
    main: uuid.v7,
  },
  {
    name: 'nanoid',
    generate: () => nanoid(),
    compilerDistinguishesTypes: false,
    main: nanoid,
  },
]

const HOUR_MS = 3_600_000

type Fact = (peer: Peer) => boolean | string | number | undefined

const FACTS: Record<string, Fact> = {
  'version compared': (peer) => readManifest(peer).version,
  'characters in an id': ({ generate }) => generate().length,
  'an id contains its type': ({ generate, generateOther }) =>
    generateOther !== undefined &&
    generate().startsWith('user') &&
    generateOther().startsWith('team'),
  'the compiler distinguishes types': ({ compilerDistinguishesTypes }) =>
    compilerDistinguishesTypes,
  'parsing rejects another type': ({ generateOther, accepts }) =>
    generateOther !== undefined && !succeeds(() => accepts?.(generateOther())),
  'valid TypeID vectors read': ({ uuidOfTypeid }) =>
    uuidOfTypeid &&
    share(vectors.valid, ({ typeid, uuid }) =>
      succeeds(() => uuidOfTypeid(typeid) === uuid),
    ),
  'invalid TypeID vectors rejected': ({ uuidOfTypeid }) =>
    uuidOfTypeid &&
    share(
      vectors.invalid,
      ({ typeid }) => !succeeds(() => uuidOfTypeid(typeid)),
    ),
  'one string per id, other case rejected': ({ upperCaseId, accepts }) =>
    upperCaseId === undefined
      ? undefined
      : !succeeds(() => accepts?.(upperCaseId)),
  'increasing within a millisecond': (peer) =>
    isIncreasing(generateAtTimes(peer, 10_000, 0)),
  'increasing after the clock is set back 1 hour': (peer) =>
    isIncreasing(generateAtTimes(peer, 100, -HOUR_MS)),
  'Standard Schema': ({ main }) => Object.hasOwn(main as object, '~standard'),
  'CommonJS build': (peer) =>
    JSON.stringify(exportsOf(peer)).includes('"require"'),
  'runtime dependencies': (peer) =>
    Object.keys(readManifest(peer).dependencies ?? {}).length,
}

function formatFact(value: ReturnType<Fact>): string {
  if (value === undefined) return '–'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

const share = <T>(all: readonly T[], holds: (one: T) => boolean) =>
  `${all.filter(holds).length} of ${all.length}`

function succeeds(work: () => unknown): boolean {
  try {
    return Boolean(work())
  } catch {
    return false
  }
}

function generateAtTimes({ generate }: Peer, count: number, shiftMs: number) {
  const now = Date.now()
  const real = Date.now
  try {
    Date.now = () => now
    const first = generate()
    Date.now = () => now + shiftMs
    return [first, ...Array.from({ length: count }, () => generate())]
  } finally {
    Date.now = real
  }
}

function isIncreasing(ids: readonly string[]): boolean {
  return ids.every((id, i) => i === 0 || (ids[i - 1] as string) < id)
}

function readManifest({ name }: Peer) {
  const path = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(path, 'utf8'))
}

const exportsOf = (peer: Peer): unknown =>
  peer.name === 'typed-id'
    ? manifest.publishConfig.exports
    : readManifest(peer).exports

export const PAGE = new URL('docs/comparison.md', REPOSITORY)

export function updatePage(page: string): string {
  const columns = ['fact', ...PEERS.map(({ name }) => name)]
  const rows = Object.entries(FACTS).map(([name, fact]) => [
    name,
    ...PEERS.map((peer) => formatFact(fact(peer))),
  ])
  return replaceSection(page, 'peers', formatTable({ columns, rows }))
}

if (import.meta.main)
  writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8')))
