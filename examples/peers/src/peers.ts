import { createId, isCuid } from '@paralleldrive/cuid2'
import { nanoid } from 'nanoid'
import { defineId, type IdOf } from 'typed-id'
import * as typeidJs from 'typeid-js'
import * as ulidx from 'ulidx'
import { typeid } from 'uniku/typeid'
import { uuidv7 as unikuUuidv7 } from 'uniku/uuid/v7'
import * as uuid from 'uuid'
import { UUID, uuidv7 } from 'uuidv7'

/** What the facts are found out with; a function that a library does not have is left out. */
export interface Peer {
  readonly name: string
  /** Makes ids of one type, in the way that the library recommends for keys. */
  generate(): string
  /** Makes an id of another type. */
  readonly generateOther?: () => string
  /** Whether the compiler tells the two apart. */
  readonly compilerTellsTypes: boolean
  /** Throws, or returns false, for what is no id of the one type. */
  readonly accepts?: (text: string) => unknown
  /** The UUID of a TypeID with the prefix user. */
  readonly uuidOfTypeid?: (text: string) => string
  /** A valid id with a letter in another case. */
  readonly otherCase?: string
  readonly timeOfUuid?: (uuid: string) => unknown
  readonly main: unknown
}

/** `true` when the compiler refuses an A where a B is wanted; anything else does not compile as such. */
type Told<A, B> = A extends B ? false : true

const UserId = defineId('user')
const TeamId = defineId('team')
const UPPERCASE_UUID = '0190163D-8694-739B-AEA5-966C26F8AD91'

const typedIdTells: Told<IdOf<typeof TeamId>, IdOf<typeof UserId>> = true
const typeidJsTells: Told<typeidJs.TypeId<'team'>, typeidJs.TypeId<'user'>> = true
const unikuTells: Told<ReturnType<typeof typeid.fromUuid>, string> = false

export const PEERS: readonly Peer[] = [
  {
    name: 'typed-id',
    generate: UserId.generate,
    generateOther: TeamId.generate,
    compilerTellsTypes: typedIdTells,
    accepts: UserId.is,
    uuidOfTypeid: (text) => UserId.toUuid(UserId.fromShort(text)),
    otherCase: `user-${UPPERCASE_UUID}`,
    timeOfUuid: (uuid) => UserId.timestamp(UserId.fromUuid(uuid)),
    main: UserId,
  },
  {
    name: 'typeid-js',
    generate: () => typeidJs.typeidUnboxed('user'),
    generateOther: () => typeidJs.typeidUnboxed('team'),
    compilerTellsTypes: typeidJsTells,
    accepts: (text) => typeidJs.fromString(text, 'user'),
    uuidOfTypeid: (text) => typeidJs.toUUID(typeidJs.fromString(text, 'user')),
    otherCase: 'user_01J0B3V1MMEEDTX9CPDGKFHBCH',
    main: typeidJs.typeidUnboxed,
  },
  {
    name: 'uniku',
    generate: () => typeid('user'),
    generateOther: () => typeid('team'),
    compilerTellsTypes: unikuTells,
    accepts: typeid.isValid,
    uuidOfTypeid: typeid.toUuid,
    otherCase: 'user_01J0B3V1MMEEDTX9CPDGKFHBCH',
    timeOfUuid: unikuUuidv7.timestamp,
    main: typeid,
  },
  {
    name: 'uuid',
    generate: () => uuid.v7(),
    compilerTellsTypes: false,
    accepts: uuid.validate,
    otherCase: UPPERCASE_UUID,
    main: uuid.v7,
  },
  {
    name: 'uuidv7',
    generate: uuidv7,
    compilerTellsTypes: false,
    accepts: (text) => UUID.parse(text),
    otherCase: UPPERCASE_UUID,
    main: uuidv7,
  },
  { name: 'nanoid', generate: () => nanoid(), compilerTellsTypes: false, main: nanoid },
  {
    name: 'ulidx',
    generate: ulidx.monotonicFactory(),
    compilerTellsTypes: false,
    accepts: ulidx.isValid,
    otherCase: '01j0b3v1mmeedtx9cpdgkfhbch',
    main: ulidx.ulid,
  },
  {
    name: '@paralleldrive/cuid2',
    generate: () => createId(),
    compilerTellsTypes: false,
    accepts: (text) => isCuid(text),
    main: createId,
  },
]
