/** Maximum bytes of a row. Longer lines have several rows, so a file of one line, such as JSON, is shown in parts. */
export const MAX_ROW = 400
/** The number of bytes at the end of a long row that are searched for a character at which the row can end. */
const SEARCHED = 128
/** Bytes that are read after a cut row, so that a string of 128 characters that starts in the row is found. */
export const LOOKAHEAD = 384

/**
 * Returns a function that returns the end of the row that starts at `start`, or 0 if `text` ends before the row does.
 * Rows end after a line break, or after at most 400 bytes. `text` has one character per byte.
 */
export function createRowFinder(text: string, isLast: boolean): (start: number) => number {
  let lineBreak = -1 // the next line break, which is searched once per line, not per row
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

/** Returns the last end of a word before `end`, or, if there is none, the last end of a UTF-8 character. */
function findBreak(text: string, end: number): number {
  for (let at = end; at > end - SEARCHED; at--) if (!isWord(text.charCodeAt(at - 1))) return at
  for (let at = end; at > end - 4; at--) if ((text.charCodeAt(at) & 0xc0) !== 0x80) return at
  return end
}

/** True for letters, digits, `-`, `_`, the start of an escape sequence, and every byte of a non-ASCII character. */
function isWord(unit: number): boolean {
  return unit >= 0x80 || /[\w\-%\\]/.test(String.fromCharCode(unit))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes one character per byte, as `findIds` expects. `TextDecoder` cannot do that, but is fast for pure ASCII. */
export function decodeLatin1(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes)
    if (text.length === bytes.length) return text
  } catch {} // a character is cut, or the bytes are not UTF-8
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x4000)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 0x4000) as unknown as number[])
  return text
}

/** Returns a pattern that finds a string. It ignores case only in ASCII, as other letters have several bytes. */
export function createPattern(text: string): RegExp {
  const isAscii = /^[\0-\x7f]*$/.test(text)
  return new RegExp(`(${text.replace(/[^\w ]/g, '\\$&')})`, isAscii ? 'gi' : 'g')
}
