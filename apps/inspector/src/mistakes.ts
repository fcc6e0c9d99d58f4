export interface Mistakes {
  readonly text: string
  readonly marks: readonly number[]
  readonly messages: readonly string[]
}

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/
const FOREIGN_LETTER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u

export function findMistakes(text: string, expected?: string): Mistakes {
  if (expected === undefined)
    return text.length > 120 ? none(text) : checkGrammar(text)
  const lower = text.toLowerCase()
  if (lower === expected) {
    const marks = indexesOf(text, (character) => /[A-Z]/.test(character))
    return { text, marks, messages: ['Ids are in lower case.'] }
  }
  const marks = differingIndexes(lower, expected)
  const letters = new Set(
    marks
      .map((at) => lower.charAt(at))
      .filter((letter) => /[ilo]/.test(letter)),
  )
  const messages = [...letters].map(
    (letter) =>
      `${letter.toUpperCase()} was read as ${letter === 'o' ? 0 : 1}.`,
  )
  if (
    marks.some((at) => !/[ilo]/.test(lower.charAt(at))) ||
    text.length !== expected.length
  )
    messages.push('A separator is missing, or is another character.')
  if (text !== lower) messages.push('Ids are in lower case.')
  return { text, marks, messages }
}

function differingIndexes(text: string, expected: string): number[] {
  if (text.length === expected.length)
    return indexesOf(text, (character, at) => character !== expected.charAt(at))
  let start = 0
  let end = 0
  while (text.charAt(start) === expected.charAt(start)) start++
  while (text.at(-1 - end) === expected.at(-1 - end)) end++
  return indexesOf(text, (_, at) => at >= start && at < text.length - end)
}

function checkGrammar(text: string): Mistakes {
  const marks = indexesOf(
    text,
    (character) => INVISIBLE.test(character) || FOREIGN_LETTER.test(character),
  )
  if (marks.length > 0 && /[-_]/.test(text) && text.length > 20) {
    const names = marks.map((at) => nameOf(text, at))
    return { text, marks, messages: names }
  }
  return checkStandard(text) ?? checkShort(text) ?? none(text)
}

function nameOf(text: string, at: number): string {
  const character = text.charAt(at)
  const code = `U+${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`
  if (INVISIBLE.test(character))
    return `Character ${at + 1} is invisible (${code}).`
  const script = /\p{Script=Cyrillic}/u.test(character) ? 'Cyrillic' : 'Greek'
  return `Character ${at + 1} is the ${script} letter ${character} (${code}).`
}

function checkStandard(text: string): Mistakes | undefined {
  const [, prefix = '', separator = '', end = ''] =
    /^(?:(.*?[^-\s:_])(\s*[-:_]\s*))?([\da-z]{6,10}(?:-[\da-z]{2,6}){3}-[\da-z]{9,15})$/i.exec(
      text,
    ) ?? []
  if (!end) return undefined
  const count = end.replaceAll('-', '').length
  const lengths = end.split('-').map(({ length }) => length)
  const marks = indexesOf(
    text,
    (digit, at) => at >= text.length - end.length && !/[\da-f-]/i.test(digit),
  )
  const messages = [
    ...checkPrefix(prefix, separator, '-'),
    ...marks.map((at) => `${text.charAt(at)} is not hexadecimal.`),
  ]
  if (count !== 32) messages.push(`${count} of 32 digits.`)
  else if (lengths.join() !== '8,4,4,4,12')
    messages.push(
      `The groups have ${lengths.join(', ')} digits instead of 8, 4, 4, 4, 12.`,
    )
  return { text, marks, messages }
}

function checkShort(text: string): Mistakes | undefined {
  const [, prefix = '', digits = ''] =
    /^(.+)_([\da-z]{24,28})$/i.exec(text) ?? []
  if (!/\d/.test(digits)) return undefined
  const start = prefix.length + 1
  const isTooLarge = digits.length === 26 && !/^[0-7]/.test(digits)
  const marks = indexesOf(
    text,
    (digit, at) =>
      (at >= start && /[ilou]/i.test(digit)) || (at === start && isTooLarge),
  )
  const messages = checkPrefix(prefix, '_', '_')
  if (digits.length !== 26) messages.push(`${digits.length} of 26 digits.`)
  for (const [letter] of digits.matchAll(/[ilou]/gi))
    messages.push(`${letter} is not a digit of base 32.`)
  if (isTooLarge)
    messages.push(
      'The first digit is above 7, so the number has more than 128 bits.',
    )
  return { text, marks, messages }
}

function checkPrefix(
  prefix: string,
  separator: string,
  expected: string,
): string[] {
  if (prefix === '') return []
  const messages: string[] = []
  const isTypeId = expected === '_' && prefix.includes('_')
  const [allowed, characters] = isTypeId
    ? [/^[a-z][a-z_]*[a-z]$/, 'lowercase letters and _']
    : [/^[a-z\d]+$/i, 'ASCII letters and digits']
  if (!allowed.test(prefix))
    messages.push(`The type "${prefix}" may have ${characters} only.`)
  if (prefix.length > 63) messages.push('The type has more than 63 characters.')
  if (separator !== expected)
    messages.push(`The separator is "${separator}" instead of "${expected}".`)
  return messages
}

const none = (text: string): Mistakes => ({ text, marks: [], messages: [] })

const indexesOf = (
  text: string,
  test: (character: string, index: number) => boolean,
): number[] =>
  Array.from({ length: text.length }, (_, at) => at).filter((at) =>
    test(text.charAt(at), at),
  )
