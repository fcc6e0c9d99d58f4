import { readSuffix } from '../core/conversions.ts'
import { TypedIdError } from '../core/error.ts'
import { startOf, TYPEID_PREFIX_PATTERN } from '../core/grammar.ts'
import { codeOfString, describeForm } from '../core/invalid.ts'

/*
 * The grammar of TypeID 0.3
 * (https://github.com/jetify-com/typeid/tree/main/spec):
 *
 *   typeid   <prefix>_<suffix>, or <suffix> alone if the prefix is empty
 *   prefix   0 to 63 lowercase letters and underscores, of which the first and the last are letters
 *   suffix   the suffix of a short id: 26 digits
 *
 * A suffix contains no underscore, so the last underscore ends the prefix.
 */

const PREFIX_RULE =
  '0 to 63 letters a-z and underscores, the first and the last a letter'
const PREFIX = /* @__PURE__ */ new RegExp(`^(?:${TYPEID_PREFIX_PATTERN})?$`)

export function checkPrefix<P>(prefix: P): P {
  if (typeof prefix === 'string' && PREFIX.test(prefix)) return prefix
  throw new TypedIdError('invalid_prefix', PREFIX_RULE, prefix)
}

export function split(
  value: unknown,
): { prefix: string; suffix: string } | undefined {
  if (typeof value !== 'string') return undefined
  const at = value.lastIndexOf('_')
  const prefix = value.slice(0, Math.max(at, 0))
  const suffix = value.slice(at + 1)
  return at !== 0 && PREFIX.test(prefix) && readSuffix(suffix, '')
    ? { prefix, suffix }
    : undefined
}

export function describeTypeId(prefix: string): string {
  return prefix
    ? describeForm(startOf(prefix), true)
    : '26 lowercase characters'
}

export function invalidTypeId(prefix: string, value: unknown): TypedIdError {
  const found = split(value)?.prefix
  if (found !== undefined)
    return new TypedIdError(
      'wrong_type',
      prefix || 'no prefix',
      value,
      found || 'no prefix',
    )
  const title =
    typeof value === 'string'
      ? `not a valid ${prefix && `${prefix} `}id`
      : undefined
  return new TypedIdError(
    codeOfString('malformed_short', value),
    describeTypeId(prefix),
    value,
    '',
    title,
  )
}
