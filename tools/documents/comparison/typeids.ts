import { defineId } from 'typed-id'
import { defineTypeId, fromString, fromTypeId, fromUUID, toTypeId, toUUID } from 'typed-id/typeid'
import * as typeidJs from 'typeid-js'
import { typeid as unikuTypeid } from 'uniku/typeid'

/** An implementation of TypeID: how it makes one, and how it reads the UUID of one. Both throw for what it rejects. */
interface Implementation {
  write(prefix: string, uuid: string): string
  read(prefix: string, typeid: string): string
}

export const IMPLEMENTATIONS: Readonly<Record<string, Implementation>> = {
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

export const PREFIXES: readonly string[] = ['user', 'order_line', 'a__b', '', 'z'.repeat(63)]

/**
 * Returns the TypeIDs that `writer` makes and `reader` reads back as the same UUID, by prefix: `19 of 20`, or `–` for a
 * prefix that one of the two does not support.
 */
export function exchange(writer: Implementation, reader: Implementation, uuids: readonly string[]): string[] {
  return PREFIXES.map((prefix) => {
    if (!supports(writer, prefix) || !supports(reader, prefix)) return '–'
    const read = uuids.filter((uuid) => reader.read(prefix, writer.write(prefix, uuid)) === uuid)
    return `${read.length} of ${uuids.length}`
  })
}

const VERSION_7 = '0190163d-8694-739b-aea5-966c26f8ad91'

function supports({ write }: Implementation, prefix: string): boolean {
  try {
    write(prefix, VERSION_7)
    return true
  } catch {
    return false
  }
}
