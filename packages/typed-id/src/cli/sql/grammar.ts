import { defineId, type IdType } from '../../index.ts'

const type = defineId('x')

// Sources of regular expressions without anchors, derived from the patterns of an id type.
export const UUID = removeStart(type.pattern)
export const SUFFIX = removeStart(type.shortPattern)
export const PREFIX = '[a-zA-Z0-9]'

/** The digits of the short form, by their values. */
export const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'

function removeStart(pattern: string): string {
  return pattern.slice('^x-'.length, -1)
}

/** Returns the command that prints the file, for its first line. */
export function describeCommand(engine: string, types: readonly IdType<string>[], drop = ''): string {
  return `-- Printed by: typed-id sql ${engine} --types ${types.map(({ prefix }) => prefix).join(',')}${drop}`
}
