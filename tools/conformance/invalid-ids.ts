const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

/** An id that no record has. */
export const unknownId = (prefix: string): string => `${prefix}-00000000-0000-7000-8000-000000000000`

/** Texts that are no id of a type in its standard form, by what is wrong with them. */
export function invalidIds(prefix: string): readonly (readonly [reason: string, text: string])[] {
  const otherType = prefix === 'team' ? 'user' : 'team'
  return [
    ['an id of another type', `${otherType}-${UUID}`],
    ['a UUID without a type', UUID],
    ['a text', 'not-an-id'],
    ['a number', '42'],
    ['the type alone', prefix],
    ['an upper-case UUID', `${prefix}-${UUID.toUpperCase()}`],
    ['an upper-case type', `${prefix.toUpperCase()}-${UUID}`],
    ['the short form', `${prefix}_01j0b3v1mme6dtx9cpdgkfhb8h`],
    ['a UUID without hyphens', `${prefix}-${UUID.replaceAll('-', '')}`],
    ['a UUID that is too short', `${prefix}-${UUID.slice(0, -1)}`],
    ['a UUID that is too long', `${prefix}-${UUID}0`],
    ['a UUID with a wrong digit', `${prefix}-${UUID.slice(0, -1)}g`],
  ]
}
