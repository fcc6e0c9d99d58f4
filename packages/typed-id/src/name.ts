import { type IdType, type TypedId, TypedIdError } from './index.ts'

/** The version 5 UUID of the name `typed-id` in the DNS namespace of RFC 9562. It never changes. */
const ROOT = 'c4cc6579-0822-58a9-bd74-a1778c1aecf7'

/**
 * Returns the id that belongs to a name: the same one wherever and whenever it is asked for, so that an import that
 * runs twice makes no record twice.
 *
 * It is a version 5 UUID (RFC 9562, section 5.5). Without a `namespace` each type has its own, the version 5 UUID of
 * its prefix under c4cc6579-0822-58a9-bd74-a1778c1aecf7: a user and a team of one name share nothing. Whoever can
 * guess the name can tell the id. It waits, since SHA-1 is asynchronous on the web, and there on https alone.
 *
 * @throws TypedIdError `not_a_string` when the name is not a string or has half of a surrogate pair, which UTF-8
 * cannot tell from others; `invalid_uuid` for a `namespace` that is not a canonical lowercase UUID.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.5
 * @example
 * await idFromName(UserId, 'ada@example.com') // 'user-f3b44eed-6e2a-56ff-bd9b-9c00038a7c68'
 */
export async function idFromName<P extends string>(
  type: IdType<P>,
  name: string,
  namespace?: string,
): Promise<TypedId<P>> {
  if (typeof name !== 'string' || /\p{Surrogate}/u.test(name)) {
    throw new TypedIdError('not_a_string', 'a well-formed string', name)
  }
  const parent =
    namespace === undefined ? await hash(type, type.fromUuid(ROOT), type.prefix) : type.fromUuid(namespace)
  return hash(type, parent, name)
}

/** A version 5 UUID: the first 16 bytes of SHA-1 over namespace and name, with version and variant set. */
async function hash<P extends string>(
  type: IdType<P>,
  namespace: TypedId<P>,
  name: string,
): Promise<TypedId<P>> {
  const text = new TextEncoder().encode(name)
  const input = new Uint8Array(16 + text.length)
  input.set(type.toBytes(namespace))
  input.set(text, 16)
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-1', input), 0, 16)
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  return type.fromBytes(bytes)
}
