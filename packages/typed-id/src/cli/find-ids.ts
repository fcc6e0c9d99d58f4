/*
 * Ids in any text. An id is a whole word: no letter, digit, `-` or `_` is next to it, so `my-user-<uuid>` and
 * `user-<uuid>-64.png` contain no id. An escape sequence before it is no part of the word: `\nuser-<uuid>` in JSON,
 * `%2Fuser-<uuid>` in a URL, colours in a log.
 *
 * The patterns also match ids that were retyped or changed by a word processor: in upper case, with I, L or O instead of
 * 1 or 0, with a dash instead of a hyphen. Such a text is no id, and is found together with the id that it looks like.
 *
 * Texts are decoded as Latin-1, one character per byte, which is several times as fast as decoding UTF-8. With one core
 * of an Intel Xeon the command reads 350 MB of logs per second, and 80 MB of a file that contains nothing but ids.
 */
import { correctLookAlikes } from './look-alikes.ts'

/** A hyphen, or the UTF-8 bytes of U+2010 to U+2015 (hyphens and dashes) or of U+2212 (minus). */
const HYPHEN = '(?:-|\xe2(?:\x80[\x90-\x95]|\x88\x92))'
const HEX = '[0-9a-filoA-FILO]'
const UUID = [8, 4, 4, 4, 12].map((length) => `${HYPHEN}${HEX}{${length}}`).join('')
const SUFFIX = '_[0-7iloILO][0-9a-tv-zA-TV-Z]{25}'

/** The part of an id after its prefix. It starts with a rare character: the search skips other characters quickly. */
const ENDS = new RegExp(`(?:${UUID}|${SUFFIX})(?![\\w-])`, 'g')

/** A prefix at the end of a text, after an escape sequence or after a character that cannot be part of an id. */
const PREFIX =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of a colour in the output of a terminal
  /(?:\x1b\[[\d;]*m|%[\da-f]{2}|(?<!\\)(?:\\\\)*\\(?:[bfnrtv0]|x[\da-f]{2}|u[\da-f]{4})|(?<![\w-]))([a-z\d]{1,63})$/i

/** The most frequent characters before an id: after them, a prefix is found without `PREFIX`. */
const DELIMITERS = '\n "\'/,:=(>'

const CANONICAL = /^[-_0-9a-hjkmnp-z]+$/

/** The longest text before the end of an id that `PREFIX` reads: an escape sequence and 63 characters. */
export const MAX_BEFORE = 96
/** The longest text from the end of the prefix that `ENDS` reads: 47 bytes and the character after them. */
export const MAX_AFTER = 48

export interface Occurrence {
  readonly prefix: string
  readonly form: 'standard' | 'short'
  /** The text that was found, in Latin-1. */
  readonly text: string
  /** The id: the text, or, if the text is no id, the id that it looks like. */
  readonly id: string
  /** The position of the text in the searched text. */
  readonly index: number
}

/** Finds the ids, and the texts that look like ids, whose prefix ends between `from` and `to`. */
export function* findIds(text: string, from: number, to: number): Generator<Occurrence> {
  ENDS.lastIndex = from
  for (let match = ENDS.exec(text); match && match.index < to; match = ENDS.exec(text)) {
    const [end] = match
    const prefix = findPrefix(text, match.index)
    if (prefix === undefined) continue
    const short = end.startsWith('_')
    const canonical = correct(end)
    // A word of 26 letters, such as the name of a variable, looks like no id.
    if (short && canonical !== end && !/\d/.test(end)) continue
    // Where everything else is in upper case, so is the prefix by mistake.
    const isUpperCase = canonical !== end && !/[a-z]/.test(prefix + end)
    const corrected = isUpperCase ? prefix.toLowerCase() : prefix
    const index = match.index - prefix.length
    const found = text.slice(index, match.index + end.length)
    yield {
      prefix: corrected,
      form: short ? 'short' : 'standard',
      text: found,
      id: canonical === end ? found : corrected + canonical,
      index,
    }
  }
}

/** Returns the prefix that ends at `end`. The loop halves the time for a file of ids. */
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

function correct(end: string): string {
  return CANONICAL.test(end) ? end : correctLookAlikes(end.replace(/\xe2../g, '-'))
}
