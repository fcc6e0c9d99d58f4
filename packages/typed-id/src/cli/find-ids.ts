/*
 * Finds ids in any input. An id is a whole word: no letter, digit, `-` or `_` is next to it, so `my-user-<uuid>` and
 * `user-<uuid>-64.png` contain no id. An escape sequence before an id does not belong to the word: `\nuser-<uuid>` in
 * JSON, `%2Fuser-<uuid>` in a URL, the codes of colours in a log.
 *
 * Also finds look-alikes: ids that a person retyped or a word processor changed. They are in upper case, have I, L or O
 * instead of 1 or 0, or a dash instead of a hyphen. A look-alike is reported with the id that it probably stands for.
 *
 * The input is decoded as Latin-1, one character per byte, which is several times as fast as UTF-8. On one core of an
 * Intel Xeon the scanner reads 350 MB of logs per second, or 80 MB of a file that contains only ids.
 */
import { correctId } from '../loose.ts'

/** A hyphen, or the UTF-8 bytes of U+2010 to U+2015 (hyphens and dashes) or of U+2212 (minus). */
const HYPHEN = '(?:-|\xe2(?:\x80[\x90-\x95]|\x88\x92))'
const HEX = '[0-9a-filoA-FILO]'
const UUID = [8, 4, 4, 4, 12].map((length) => `${HYPHEN}${HEX}{${length}}`).join('')
const SUFFIX = '_[0-7iloILO][0-9a-tv-zA-TV-Z]{25}'

/** Matches an id from its separator on. Separators are rare, so the regular expression skips most characters fast. */
const AFTER_PREFIX = new RegExp(`(?:${UUID}|${SUFFIX})(?![\\w-])`, 'g')

/** Matches a prefix at the end of a string, after an escape sequence or a character that cannot be part of an id. */
const PREFIX =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of a colour in the output of a terminal
  /(?:\x1b\[[\d;]*m|%[\da-f]{2}|(?<!\\)(?:\\\\)*\\(?:[bfnrtv0]|x[\da-f]{2}|u[\da-f]{4})|(?<![\w-]))([a-z\d]{1,63})$/i

/** The most frequent characters before an id. After one of them, `findPrefix` does not need the regular expression. */
const DELIMITERS = '\n "\'/,:=(>'

const CANONICAL = /^[-_0-9a-hjkmnp-z]+$/

/** The most characters before a separator that `PREFIX` reads: an escape sequence and 63 characters. */
export const MAX_BEFORE = 96
/** The most characters from a separator on that `AFTER_PREFIX` reads: 47 bytes and the character after them. */
export const MAX_AFTER = 48

export interface Occurrence {
  readonly prefix: string
  readonly form: 'standard' | 'short'
  /** The part of the input that was found, in Latin-1: an id or a look-alike. */
  readonly text: string
  /** The id that was found, or the id that the look-alike stands for. */
  readonly id: string
  /** The position in the searched string. */
  readonly index: number
}

/** Finds the ids and look-alikes whose separator is between `from` and `to`. */
export function* findIds(text: string, from: number, to: number): Generator<Occurrence> {
  AFTER_PREFIX.lastIndex = from
  for (let match = AFTER_PREFIX.exec(text); match && match.index < to; match = AFTER_PREFIX.exec(text)) {
    const [rest] = match
    const prefix = findPrefix(text, match.index)
    if (prefix === undefined) continue
    const short = rest.startsWith('_')
    const form = short ? 'short' : 'standard'
    const index = match.index - prefix.length
    const found = text.slice(index, match.index + rest.length)
    if (CANONICAL.test(rest)) {
      yield { prefix, form, text: found, id: found, index }
      continue
    }
    // Without a digit it is a word of 26 letters, such as the name of a variable, and not a look-alike.
    if (short && !/\d/.test(rest)) continue
    const id = correctId(found.replace(/\xe2../g, '-'))
    if (id) yield { prefix: id.replace(/[-_].*/, ''), form, text: found, id, index }
  }
}

/** Returns the prefix before the separator at `end`. Without the loop, a file of ids takes twice the time. */
function findPrefix(text: string, end: number): string | undefined {
  let start = end
  while (end - start < 64 && isAlphanumeric(text.charCodeAt(start - 1))) start--
  if (start > 0 && start < end && end - start < 64 && DELIMITERS.includes(text.charAt(start - 1)))
    return text.slice(start, end)
  return PREFIX.exec(text.slice(Math.max(0, end - MAX_BEFORE), end))?.[1]
}

function isAlphanumeric(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90)
}
