import { nanoid } from 'nanoid'
import { defineId, type IdOf } from 'typed-id'
import { fromString, toUUID } from 'typed-id/typeid'
import * as typeidJs from 'typeid-js'
import { typeid } from 'uniku/typeid'
import { uuidv7 as unikuUuidv7 } from 'uniku/uuid/v7'
import * as uuid from 'uuid'

/**
 * Functions of a library, from which the facts are determined. A function is
 * undefined if the library lacks it.
 */
export interface Peer {
  readonly name: string
  /**
   * Generates an id of the first type, in the way that the library recommends
   * for database keys.
   */
  generate(): string
  readonly generateOther?: () => string
  /**
   * Whether the compiler rejects an id of the second type where it expects the
   * first.
   */
  readonly compilerDistinguishesTypes: boolean
  /**
   * Throws or returns false for a string that is not an id of the first type.
   */
  readonly accepts?: (text: string) => unknown
  /**
   * Returns the UUID of a TypeID of any prefix, and throws for any other
   * string.
   */
  readonly uuidOfTypeid?: (text: string) => string
  /** A valid id in the other case: upper instead of lower, or the reverse. */
  readonly otherCase?: string
  readonly timeOfUuid?: (uuid: string) => unknown
  readonly main: unknown
}

/**
 * `true` if a value of type A is a compile error where B is expected, otherwise
 * `false`.
 */
type IsDistinct<A, B> = A extends B ? false : true

const UserId = defineId('user')
const TeamId = defineId('team')
const UPPERCASE_UUID = '0190163D-8694-739B-AEA5-966C26F8AD91'

export const PEERS: readonly Peer[] = [
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
    otherCase: `user-${UPPERCASE_UUID}`,
    timeOfUuid: (uuid) => UserId.timestamp(UserId.fromUuid(uuid)),
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
    otherCase: 'user_01J0B3V1MMEEDTX9CPDGKFHBCH',
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
    otherCase: 'user_01J0B3V1MMEEDTX9CPDGKFHBCH',
    timeOfUuid: unikuUuidv7.timestamp,
    main: typeid,
  },
  {
    name: 'uuid',
    generate: () => uuid.v7(),
    compilerDistinguishesTypes: false,
    accepts: uuid.validate,
    otherCase: UPPERCASE_UUID,
    main: uuid.v7,
  },
  {
    name: 'nanoid',
    generate: () => nanoid(),
    compilerDistinguishesTypes: false,
    main: nanoid,
  },
]
