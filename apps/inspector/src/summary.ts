import type { Progress } from './log.ts'

/** Returns a sentence with the size of a log and the number of its ids. */
export function summarize({ size, lines, types, distinct }: Progress): string {
  const ids = types.reduce((sum, type) => sum + type.ids, 0)
  const invalid = types.reduce((sum, type) => sum + type.invalid, 0)
  const found = ids + invalid === 0 ? 'no ids' : `${count(ids, 'id')} of ${count(types.length, 'type')}`
  const other =
    invalid > 0 ? `, ${count(invalid, 'text')} that only ${invalid === 1 ? 'looks' : 'look'} like one` : ''
  const different = distinct ? `, ${distinct.toLocaleString('en')} distinct,` : ''
  return `${found}${other}${different} in ${count(lines, 'line')}, ${formatSize(size)}`
}

export function formatSize(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte')
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Returns a number and its noun, in the plural where needed. */
export function count(number: number, name: string): string {
  return `${number.toLocaleString('en')} ${name}${number === 1 ? '' : 's'}`
}
