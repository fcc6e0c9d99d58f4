import { findReadings } from './readings.ts'

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/u
/** Letters of other scripts that look like a Latin letter. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p' },
  ...{ ѕ: 's', т: 't', у: 'y', х: 'x', α: 'a', ο: 'o', ρ: 'p', υ: 'u', ν: 'v', ι: 'i' },
}

/** Returns the mistakes in a string that is nearly an id, or an empty array for any other string. */
export function findNearMiss(input: string): string[] {
  const text = input.trim()
  if (text.length > 120 || /\n/.test(text)) return []
  const characters = [...text]
  const replaced = characters.map((character) =>
    INVISIBLE.test(character) ? '' : (LOOK_ALIKES[character.toLowerCase()] ?? character),
  )
  const changed = characters.flatMap((character, n) => (replaced[n] === character ? [] : [{ character, n }]))
  if (changed.length > 0)
    return findReadings(replaced.join('')).length === 0
      ? []
      : changed.map(({ character, n }) => describe(character, n))
  return checkStandard(text) ?? checkShort(text) ?? []
}

function describe(character: string, n: number): string {
  const code = `U+${(character.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`
  if (INVISIBLE.test(character)) return `Character ${n + 1} is invisible (${code}).`
  const script = /\p{Script=Cyrillic}/u.test(character) ? 'Cyrillic' : 'Greek'
  return `Character ${n + 1} is the ${script} letter ${character} (${code}), not ${LOOK_ALIKES[character.toLowerCase()]}.`
}

/** Checks groups of letters and digits like those of a uuid, after a prefix and a separator, or without both. */
function checkStandard(text: string): string[] | undefined {
  const [, prefix = '', separator = '', end = ''] =
    /^(?:(.*?[^-\s:_])(\s*[-:_]\s*))?([\da-z]{6,10}(?:-[\da-z]{2,6}){3}-[\da-z]{9,15})$/i.exec(text) ?? []
  if (!end) return undefined
  const digits = end.replaceAll('-', '')
  const offset = text.length - end.length
  const wrong = [...end].flatMap((digit, n) =>
    /[\da-f-]/i.test(digit) ? [] : [`${digit} at position ${offset + n + 1}`],
  )
  return [
    ...checkPrefix(prefix, separator, '-'),
    ...(digits.length === 32 ? checkGroups(end) : [`The uuid has ${digits.length} of 32 digits.`]),
    ...(wrong.length > 0 ? [`No hexadecimal digit: ${wrong.join(', ')}.`] : []),
  ]
}

function checkGroups(end: string): string[] {
  const lengths = end.split('-').map(({ length }) => length)
  return lengths.join() === '8,4,4,4,12'
    ? []
    : [`The groups of digits have the lengths ${lengths.join(', ')} instead of 8, 4, 4, 4, 12.`]
}

/** Checks a prefix, `_`, and about 26 letters and digits. */
function checkShort(text: string): string[] | undefined {
  const [, prefix = '', digits = ''] = /^(.+)_([\da-z]{24,28})$/i.exec(text) ?? []
  if (!/\d/.test(digits)) return undefined
  const offset = prefix.length + 1
  const wrong = [...digits].flatMap((digit, n) =>
    /[ilou]/i.test(digit) ? [`${digit} at position ${offset + n + 1}`] : [],
  )
  return [
    ...checkPrefix(prefix, '_', '_'),
    ...(digits.length === 26 ? [] : [`The short form has ${digits.length} of 26 digits.`]),
    ...(wrong.length > 0 ? [`No digit of base 32: ${wrong.join(', ')}.`] : []),
    ...(digits.length === 26 && !/^[0-7]/.test(digits)
      ? ['The first digit is above 7: more than 128 bits.']
      : []),
  ]
}

function checkPrefix(prefix: string, separator: string, expected: string): string[] {
  const isTypeId = expected === '_' && prefix.includes('_')
  const other = isTypeId ? 'lowercase letter or _ between letters' : 'ASCII letter or digit'
  return [
    ...(prefix && !(isTypeId ? /^[a-z][a-z_]*[a-z]$/ : /^[a-z\d]+$/i).test(prefix)
      ? [`The prefix "${prefix}" has a character that is no ${other}.`]
      : []),
    ...(prefix.length > 63 ? [`The prefix has ${prefix.length} characters, and may have 63.`] : []),
    ...(prefix && separator !== expected
      ? [`The separator is "${separator}" instead of "${expected}".`]
      : []),
  ]
}
