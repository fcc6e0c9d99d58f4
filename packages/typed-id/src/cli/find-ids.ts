/*
 * Finds ids, also TypeIDs whose prefix has `_`, in any input. An id is a whole
 * word: no letter, digit, `-` or `_` is next to it, so `my-user-<uuid>` and
 * `user-<uuid>-64.png` contain no id. An escape sequence before an id is not
 * part of the word: `\nuser-<uuid>` in JSON, `%2Fuser-<uuid>` in a URL, colour
 * codes in a log. Letters of scripts without spaces, such as Chinese, are not
 * part of a word either.
 *
 * Also finds look-alikes: ids that a person retyped or a word processor
 * changed. They are in upper case, or have I, L or O for 1 or 0, a dash for a
 * hyphen, `%2D` or `%5F` for a separator. A look-alike is reported with the id
 * that it probably stands for.
 *
 * The input is decoded as Latin-1, one character per byte, which is several
 * times as fast as UTF-8. On one core of an Intel Xeon the scanner reads 350 MB
 * of logs per second, or 80 MB of a file that contains only ids.
 */
import {
  PREFIX_PATTERN,
  TYPEID_PREFIX_PATTERN,
  UUID_PATTERN,
} from '../core/grammar.ts'
import { correctId } from '../forms/loose.ts'

/**
 * Matches a hyphen, also as `%2D`, or the UTF-8 bytes of U+2010 to U+2015
 * (hyphens and dashes) or of U+2212 (minus).
 */
const HYPHEN = '(?:-|%2[dD]|\xe2(?:\x80[\x90-\x95]|\x88\x92))'
const HEX = '[0-9a-filoA-FILO]'
const UUID = `-${UUID_PATTERN}`
  .replaceAll('-[', `${HYPHEN}[`)
  .replaceAll('[0-9a-f]', HEX)
const SUFFIX = '(?:_|%5[fF])[0-7iloILO][0-9a-tv-zA-TV-Z]{25}'

/**
 * Matches an id from its separator on. Separators are rare, so the regular
 * expression skips most characters fast.
 */
const AFTER_PREFIX = new RegExp(`(?:${UUID}|${SUFFIX})(?![\\w-])`, 'g')

/**
 * Matches an escape sequence, such as a terminal colour, or the position after
 * a character that no id contains.
 */
const START = String.raw`(?:\x1b\[[\d;]*m|%[\da-fA-F]{2}|(?<!\\)(?:\\\\)*\\(?:[bfnrtv0]|x[\da-fA-F]{2}|u[\da-fA-F]{4})|(?<![\w-]))`
const PREFIX = new RegExp(`${START}(${PREFIX_PATTERN})$`)
const TYPEID_PREFIX = new RegExp(`${START}(${TYPEID_PREFIX_PATTERN})$`)

/** Matches a letter or digit of a script that is written with spaces. */
const LETTER = String.raw`(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{M}\p{N}])`
const ENDS_WITH_LETTER = new RegExp(`${LETTER}$`, 'u')
const STARTS_WITH_LETTER = new RegExp(`^${LETTER}`, 'u')

/**
 * The most frequent characters before an id. After them, `findPrefix` needs no
 * regular expression.
 */
const DELIMITERS = '\n "\'/,:=(>'

const CANONICAL = /^[-_0-9a-hjkmnp-z]+$/

/**
 * Maximum bytes before a separator that `PREFIX` matches: an escape sequence
 * and 63 characters.
 */
export const MAX_BEFORE = 96
/**
 * Maximum bytes of an id from its separator on: 47, and the bytes of the next
 * character.
 */
export const MAX_AFTER = 51

export interface Occurrence {
  readonly prefix: string
  readonly form: 'standard' | 'short'
  /** The id or look-alike as the input contains it, in Latin-1. */
  readonly text: string
  /** The id itself, or the id that the look-alike stands for. */
  readonly id: string
  readonly index: number
}

/** Finds the ids and look-alikes whose separator is between `from` and `to`. */
export function* findIds(
  text: string,
  from: number,
  to: number,
): Generator<Occurrence> {
  AFTER_PREFIX.lastIndex = from
  for (
    let match = AFTER_PREFIX.exec(text);
    match && match.index < to;
    match = AFTER_PREFIX.exec(text)
  ) {
    const [rest] = match
    const short = rest.startsWith('_') || rest.startsWith('%5')
    const prefix = findPrefix(text, match.index, short)
    if (prefix === undefined) continue
    const form = short ? 'short' : 'standard'
    const index = match.index - prefix.length
    if (touchesLetter(text, index, match.index + rest.length)) continue
    const found = text.slice(index, match.index + rest.length)
    if (CANONICAL.test(rest)) {
      yield { prefix, form, text: found, id: found, index }
      continue
    }
    // 26 letters without a digit are a word, such as the name of a variable,
    // and not a look-alike.
    if (short && !/\d/.test(rest)) continue
    // `id` is never undefined, because `correctId` corrects everything that
    // AFTER_PREFIX matches.
    const id = correctId(found.replace(/\xe2../g, '-')) as string
    yield { prefix: id.replace(/[-_].*/, ''), form, text: found, id, index }
  }
}

/**
 * Returns the prefix before the separator at `end`. The loop avoids the regular
 * expression, with which a log takes 2.5 times as long.
 */
function findPrefix(
  text: string,
  end: number,
  short: boolean,
): string | undefined {
  let start = end
  while (end - start < 64 && isAlphanumeric(text.charCodeAt(start - 1))) start--
  if (
    start > 0 &&
    start < end &&
    end - start < 64 &&
    DELIMITERS.includes(text.charAt(start - 1))
  )
    return text.slice(start, end)
  const pattern =
    short && text.charAt(start - 1) === '_' ? TYPEID_PREFIX : PREFIX
  return pattern.exec(text.slice(Math.max(0, end - MAX_BEFORE), end))?.[1]
}

/**
 * Returns whether a letter that is not ASCII is directly before or after a
 * word.
 */
function touchesLetter(text: string, start: number, end: number): boolean {
  // Outside of the string, charCodeAt returns NaN, so the result is false.
  const isByte = (at: number) => text.charCodeAt(at) > 127
  return (
    (isByte(start - 1) &&
      ENDS_WITH_LETTER.test(
        decode(text.slice(Math.max(0, start - 4), start)),
      )) ||
    (isByte(end) && STARTS_WITH_LETTER.test(decode(text.slice(end, end + 4))))
  )
}

function decode(bytes: string): string {
  return new TextDecoder().decode(
    Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)),
  )
}

function isAlphanumeric(unit: number): boolean {
  return (
    (unit >= 48 && unit <= 57) ||
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90)
  )
}
