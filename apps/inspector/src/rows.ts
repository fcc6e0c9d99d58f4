/** Longer lines are shown as several rows, so a file of one line, such as JSON, can be shown in parts. */
export const MAX_ROW = 400
/** A row of a long line ends after a character that is not part of a word, if there is one in its last characters. */
const SEARCHED = 128
/** Bytes after a row that is cut: a text of 128 characters that starts in the row can be found. */
export const LOOKAHEAD = 384

/**
 * Returns a function that returns the end of the row that starts at `start`, or 0 if the text ends before the row. Rows
 * end after a line break, or after at most 400 bytes. The text has one character per byte.
 */
export function createRowFinder(text: string, isLast: boolean): (start: number) => number {
  let lineBreak = -1 // the next one: found once per line, not once per row
  return (start) => {
    if (lineBreak < start) {
      lineBreak = text.indexOf('\n', start)
      if (lineBreak < 0) lineBreak = text.length
    }
    if (lineBreak - start < MAX_ROW && lineBreak < text.length) return lineBreak + 1
    if (text.length - start > MAX_ROW + (isLast ? 0 : LOOKAHEAD)) return findBreak(text, start + MAX_ROW)
    return isLast && start < text.length ? text.length : 0
  }
}

/** Returns the last end of a word before `end`, or, if there is none, of a character of UTF-8. */
function findBreak(text: string, end: number): number {
  for (let at = end; at > end - SEARCHED; at--) if (!isWord(text.charCodeAt(at - 1))) return at
  for (let at = end; at > end - 4; at--) if ((text.charCodeAt(at) & 0xc0) !== 0x80) return at
  return end
}

/** Letters, digits, `-`, `_`, the start of an escape sequence, and every byte of a character that is not ASCII. */
function isWord(unit: number): boolean {
  return unit >= 0x80 || /[\w\-%\\]/.test(String.fromCharCode(unit))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes one character per byte, as `findIds` expects. `TextDecoder` has no such encoding, but is fast for ASCII. */
export function decodeLatin1(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes)
    if (text.length === bytes.length) return text
  } catch {} // a character is cut, or the text is not UTF-8
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x4000)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 0x4000) as unknown as number[])
  return text
}

/** Returns a pattern of a text. It ignores the case if all letters are ASCII: those of UTF-8 are several bytes. */
export function createPattern(text: string): RegExp {
  const isAscii = /^[\0-\x7f]*$/.test(text)
  return new RegExp(`(${text.replace(/[^\w ]/g, '\\$&')})`, isAscii ? 'gi' : 'g')
}
