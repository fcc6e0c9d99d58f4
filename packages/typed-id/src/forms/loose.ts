import { type AnyIdType, hasTwoForms } from '../core/any-id.ts'
import { correctLookAlikes } from '../core/digits.ts'
import type { SafeResult } from '../core/error.ts'
import { UUID_PATTERN } from '../core/grammar.ts'

const UUID = UUID_PATTERN.replaceAll('-[', '[^\\da-z][').replaceAll(
  '0-9a-f',
  '\\da-z',
)
// Does not match a UUID without separators, because its 32 digits could also be
// read as a prefix of 6 characters and a suffix of 26 digits.
const LOOSE = new RegExp(
  `^(?![\\da-f]{32}$)(?:(?!_)(\\w{1,63}?)[^\\da-z]?)?(?:(${UUID})|([\\da-z]{26}))$`,
  'i',
)

/**
 * The longest id has 110 characters, with separators as `%2D`. The limit leaves
 * 100 characters for spaces.
 */
const MAX_LENGTH = 210

/**
 * Returns the standard form of an id that a person has typed, for example into
 * a search field, or an error. Accepts what `safeParseEitherForm` accepts,
 * and corrects
 *
 * - white space around the id;
 * - upper case in the UUID or suffix;
 * - an upper case prefix, if the whole input has no lower case letter;
 * - O instead of 0, and I or L instead of 1;
 * - a missing or wrong separator after the prefix, and wrong separators in a
 *   uuid, such as dashes;
 * - `%2D` and `%5F`, the separators in a URL.
 *
 * An id of another type is never corrected. For a type of `defineTypeId`, only
 * TypeIDs are accepted and returned.
 *
 * @example
 * parseLoose(UserId, ' USER 01JOB3VIMMEEDTX9CPDGKFHBCH').data // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 * parseLoose(UserId, 'team_01j0b3v1mmeedtx9cpdgkfhbch').error?.code // 'wrong_type'
 */
export function parseLoose<T extends AnyIdType>(
  type: T,
  value: unknown,
): SafeResult<T['example']> {
  const parse = hasTwoForms(type) ? type.safeParseEitherForm : type.safeParse
  const exact = parse(value)
  if (
    exact.success ||
    exact.error.code === 'wrong_type' ||
    typeof value !== 'string'
  )
    return exact
  const corrected = correctId(value, type.prefix)
  return corrected === undefined ? exact : parse(corrected)
}

/**
 * Corrects an id as `parseLoose` does. Returns undefined if the string does not
 * look like an id. The result may be invalid: parse it.
 *
 * Only if the whole string is in upper case, its prefix becomes lower case or,
 * if `prefix` has the same letters, the argument `prefix`.
 *
 * @example
 * ids.safeParse(correctId(' USER_01JOB3VIMMEEDTX9CPDGKFHBCH')).data?.type // 'user', for a registry `ids`
 */
export function correctId(text: string, prefix?: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const bare = text.trim().replace(/%2d/gi, '-').replace(/%5f/gi, '_')
  const [, found, uuid, suffix = ''] = LOOSE.exec(bare) ?? []
  if (!found)
    return prefix === '' && suffix ? correctLookAlikes(suffix) : undefined

  const lower = found.toLowerCase()
  const corrected = /[a-z]/.test(bare)
    ? found
    : prefix && lower === prefix.toLowerCase()
      ? prefix
      : lower
  if (!uuid) return `${corrected}_${correctLookAlikes(suffix)}`
  return `${corrected}-${correctLookAlikes(uuid).replace(/[^\da-z]/g, '-')}`
}
