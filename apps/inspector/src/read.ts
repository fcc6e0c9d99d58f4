import { correctId, defineId, fromBase62 } from 'typed-id'
import { findMistakes, type Mistakes } from './mistakes.ts'

export interface Id {
  readonly prefix: string
  readonly uuid: string
}

export type Result =
  | { readonly kind: 'empty' }
  | { readonly kind: 'id'; readonly name: string; readonly id: Id }
  | {
      readonly kind: 'typo'
      readonly expected: string
      readonly id: Id
      readonly mistakes: Mistakes
    }
  | { readonly kind: 'invalid'; readonly mistakes: Mistakes }
  | {
      readonly kind: 'text'
      readonly ids: readonly (Id & { readonly text: string })[]
    }

const AnyId = defineId('id')
const UUID = AnyId.pattern.slice('^id-'.length, -1)
const SUFFIX = AnyId.shortPattern.slice('^id_'.length, -1)
const PREFIX = '[a-zA-Z\\d]{1,63}'
const TYPE = `${PREFIX}|[a-z][a-z_]{0,61}[a-z]`
const STANDARD = new RegExp(`^(${PREFIX})-(${UUID})$`)
const BARE = new RegExp(`^(?:urn:uuid:|\\\\x|0x)?(${UUID}|[\\da-f]{32})$`, 'i')
const SHORT = new RegExp(`^(?:(${TYPE})_)?(${SUFFIX})$`)
const BASE62 = new RegExp(`^(${PREFIX})_([a-zA-Z\\d]{20,22})$`)

/**
 * Captures words of at least 26 characters, the length of the shortest id.
 * Words can contain Unicode dashes, and percent-encoded `-` and `_`. The first
 * two alternatives skip other escapes, such as `%20` in `%20user-…`.
 */
const WORDS =
  /%(?!2d|5f)[\da-f]{2}|\\[bfnrt]|((?:[-\w\u2010-\u2015\u2212]|%2d|%5f){26,})/gi
const IN_TEXT = new RegExp(`^(?:(?:${PREFIX}-)?${UUID}|(?:${TYPE})_${SUFFIX})$`)
const QUOTES = /^["'`<({[]+|["'`>)}\],;.]+$/g

export function read(input: string): Result {
  const text = input.trim().replace(QUOTES, '')
  if (text === '') return { kind: 'empty' }
  return readOne(text) ?? { kind: 'text', ids: findAll(input) }
}

function readOne(text: string): Result | undefined {
  const exact = readExactly(text)
  if (exact) return { kind: 'id', ...exact }
  const expected = correct(text)
  const corrected = expected && readExactly(expected)
  // Offers no correction for text without a digit, which may be the name of a
  // variable.
  if (expected && corrected && /\d/.test(text))
    return {
      kind: 'typo',
      expected,
      id: corrected.id,
      mistakes: findMistakes(text, expected),
    }
  const mistakes = findMistakes(text)
  return mistakes.messages.length > 0
    ? { kind: 'invalid', mistakes }
    : undefined
}

function readExactly(text: string): { name: string; id: Id } | undefined {
  const named = (name: string, prefix: string, uuid: string) => ({
    name,
    id: { prefix, uuid },
  })
  const [, prefix = '', uuid] = STANDARD.exec(text) ?? []
  if (uuid) return named('Typed id, standard form', prefix, uuid)
  const [, bare] = BARE.exec(text) ?? []
  if (bare) return named('UUID', '', hyphenate(bare.toLowerCase()))
  const [, type = '', suffix] = SHORT.exec(text) ?? []
  if (suffix) {
    const name = type
      ? 'Typed id, short form (TypeID)'
      : 'TypeID without its type'
    return named(name, type, AnyId.toUuid(AnyId.fromShort(`id_${suffix}`)))
  }
  const [, owner = '', digits] = BASE62.exec(text) ?? []
  if (!digits) return undefined
  try {
    const id = fromBase62(AnyId, `id_${digits}`)
    return named('Typed id, base 62', owner, AnyId.toUuid(id))
  } catch {
    return undefined // the number has more than 128 bits
  }
}

function correct(text: string): string | undefined {
  const id = correctId(text)
  // Letters and digits without a separator may be a hash. Treats them as an id
  // only if the first digit is 0, as in every UUIDv7, or o, a misread 0.
  if (id && !/[^\da-z]|^[a-z]+[0o]/i.test(text)) return undefined
  const uuid = correctId(`id-${text}`)
  return id ?? (uuid?.startsWith('id-') ? uuid.slice(3) : undefined)
}

function findAll(text: string): (Id & { text: string })[] {
  const found = [...text.matchAll(WORDS)].flatMap(([, word = '']) => {
    const id = IN_TEXT.test(word) ? word : correct(word)
    return id !== undefined && /\d/.test(word) ? [id] : []
  })
  return [...new Set(found)].flatMap((text) => {
    const known = readExactly(text)
    return known ? [{ ...known.id, text }] : []
  })
}

export function newId(input: string): string {
  const result = read(input)
  const prefix = 'id' in result ? result.id.prefix : ''
  return defineId<string>(
    /^[a-zA-Z\d]+$/.test(prefix) ? prefix : 'user',
  ).generate()
}

const hyphenate = (uuid: string): string =>
  uuid.replaceAll('-', '').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
