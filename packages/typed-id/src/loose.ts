import { correctLookAlikes } from './core/digits.ts'
import type { SafeResult } from './core/error.ts'
import type { IdType, TypedId } from './core/types.ts'

/*
 * A text that people have typed, or a program has changed, has one reading at most: its last 36 or 26 characters are the
 * uuid or the suffix, and the letters and digits before them, without one separator, are the prefix. A uuid has its four
 * separators, a suffix has none.
 */
const UUID = [8, 4, 4, 4, 12].map((length) => `[\\da-z]{${length}}`).join('[^\\da-z]')
const LOOSE = new RegExp(`^([\\da-z]{1,63})[^\\da-z]?(?:(${UUID})|([\\da-z]{26}))$`, 'i')

/** No text that is accepted is longer, even if each of its separators is percent-encoded and 100 spaces are around it. */
const MAX_LENGTH = 210

/**
 * Returns the id that a person has typed, in the standard form, or the reason why the text is none: for a search field
 * or a "did you mean", not for an API. It accepts what `safeParseAny` accepts, and corrects
 *
 * - white space around the text;
 * - upper case, in the prefix only if the text has no lower case letter;
 * - O instead of 0, and I or L instead of 1;
 * - a missing or wrong separator after the prefix, and wrong ones in a uuid, such as dashes;
 * - `%2D` and `%5F`, the separators in a URL.
 *
 * A text that is an id of another type is never corrected.
 *
 * @example
 * parseLoose(UserId, ' USER 01JOB3VIMMEEDTX9CPDGKFHBCH').data // 'user-0190163d-8694-739b-aea5-966c26f8ad91'
 * parseLoose(UserId, 'team_01j0b3v1mmeedtx9cpdgkfhbch').error?.code // 'wrong_type'
 */
export function parseLoose<P extends string>(type: IdType<P>, value: unknown): SafeResult<TypedId<P>> {
  const exact = type.safeParseAny(value)
  if (exact.success || exact.error.code === 'wrong_type' || typeof value !== 'string') return exact
  const corrected = correctId(value, type.prefix)
  return corrected === undefined ? exact : type.safeParseAny(corrected)
}

/**
 * Returns the text that `parseLoose` parses, for an id whose type is unknown, or undefined if the text looks like no id.
 * Upper case becomes `prefix` if it is the same prefix, otherwise lower case. The text may still be invalid: parse it.
 *
 * @example
 * ids.safeParse(correctId(' USER_01JOB3VIMMEEDTX9CPDGKFHBCH')).data?.type // 'user', for a registry `ids`
 */
export function correctId(text: string, prefix = ''): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const bare = text.trim().replace(/%(?:2d|5f)/gi, '-')
  const [, found, uuid, suffix = ''] = LOOSE.exec(bare) ?? []
  if (!found) return undefined

  const lower = found.toLowerCase()
  const corrected = /[a-z]/.test(bare) ? found : lower === prefix.toLowerCase() ? prefix : lower
  if (!uuid) return `${corrected}_${correctLookAlikes(suffix)}`
  return `${corrected}-${correctLookAlikes(uuid).replace(/[^\da-z]/g, '-')}`
}
