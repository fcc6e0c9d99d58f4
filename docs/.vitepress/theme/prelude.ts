const IMPORT = `import { defineId, type IdOf } from 'typed-id'\n`

/** The types that the examples of the guide use. */
const TYPES = `
const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>
`

/** Returns the lines that a copied example needs before it, or an empty string. `name` is the name of the package. */
export function preludeOf(code: string, name: string): string {
  if (!/\b(UserId|TeamId|IdOf|defineId)\b/.test(code) || /import \{[^}]*\bdefineId\b/.test(code)) return ''
  return `${IMPORT.replace('typed-id', name)}${/\bconst UserId\b/.test(code) ? '' : TYPES}\n`
}
