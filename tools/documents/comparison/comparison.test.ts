import { readFileSync } from 'node:fs'
import { defineId, uuidv7 } from 'typed-id'
import { defineTypeId, fromString, fromTypeId, fromUUID, toTypeId, toUUID } from 'typed-id/typeid'
import * as typeidJs from 'typeid-js'
import { typeid as unikuTypeid } from 'uniku/typeid'
import { expect, test } from 'vitest'
import { PAGE, updatePage } from './facts.ts'

/** An implementation of TypeID: `write` creates one, `read` returns its UUID. Both throw for invalid values. */
interface Implementation {
  write(prefix: string, uuid: string): string
  read(prefix: string, typeid: string): string
}

const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
  'typed-id defineTypeId': {
    write: (prefix, uuid) => defineTypeId<string>(prefix).fromUuid(uuid),
    read: (prefix, typeid) => {
      const Id = defineTypeId<string>(prefix)
      return Id.toUuid(Id.parse(typeid))
    },
  },
  'typed-id defineId': {
    write: (prefix, uuid) => {
      const Id = defineId<string>(prefix)
      return toTypeId(Id, Id.fromUuid(uuid))
    },
    read: (prefix, typeid) => {
      const Id = defineId<string>(prefix)
      return Id.toUuid(fromTypeId(Id, fromString(typeid)))
    },
  },
  'typed-id fromUUID': {
    write: (prefix, uuid) => fromUUID(uuid, prefix),
    read: (prefix, typeid) => toUUID(fromString(typeid, prefix)),
  },
  'typeid-js functions': {
    write: (prefix, uuid) => typeidJs.fromUUID(uuid, prefix),
    read: (prefix, typeid) => typeidJs.toUUID(typeidJs.fromString(typeid, prefix)),
  },
  'typeid-js class': {
    write: (prefix, uuid) => typeidJs.TypeID.fromUUID(prefix, uuid).toString(),
    read: (prefix, typeid) => typeidJs.TypeID.fromString(typeid, prefix).toUUID(),
  },
  uniku: {
    write: (prefix, uuid) => unikuTypeid.fromUuid(prefix, uuid),
    read: (prefix, typeid) => {
      if (unikuTypeid.prefix(typeid) !== prefix) throw new Error(`another prefix: ${typeid}`)
      return unikuTypeid.toUuid(typeid)
    },
  },
}

const uuids = Array.from({ length: 200 }, () => uuidv7())

test.each(Object.entries(IMPLEMENTATIONS))(
  '%s writes the same TypeIDs as the others, and reads them',
  (name, { write, read }) => {
    for (const prefix of ['user', 'order_line', 'a__b', '', 'z'.repeat(63)]) {
      // The short form is a TypeID only if the prefix consists of lowercase letters.
      if (name === 'typed-id defineId' && !/^[a-z]+$/.test(prefix)) continue
      for (const uuid of uuids) {
        const typeid = typeidJs.fromUUID(uuid, prefix)
        expect(write(prefix, uuid)).toBe(typeid)
        expect(read(prefix, typeid)).toBe(uuid)
      }
    }
  },
)

test('the comparison of docs/comparison.md is true, else run "pnpm --filter documents facts"', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toBe(updatePage(page))
})
