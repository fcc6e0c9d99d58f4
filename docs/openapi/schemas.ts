/* Describes JSON Schemas in Markdown. A keyword that no function here describes is an error, so no page omits one. */
import type { Schema } from 'testkit/document.ts'
import { formatTable } from 'testkit/tables.ts'

/** Functions that describe the limit of a keyword. The keywords in `STRUCTURE` are described elsewhere. */
const LIMITS: Readonly<Record<string, (value: never) => string>> = {
  minLength: (length: number) => `at least ${count(length, 'character')}`,
  maxLength: (length: number) => `at most ${count(length, 'character')}`,
  minimum: (value: number) => `at least ${value}`,
  maximum: (value: number) => `at most ${value}`,
  format: (format: string) => `format \`${format}\``,
  default: (value: unknown) => `by default \`${JSON.stringify(value)}\``,
  writeOnly: () => 'never returned',
}
const STRUCTURE = new Set<string>([
  ...['$ref', 'type', 'anyOf', 'items', 'properties', 'required', 'enum', 'description', 'example'],
  ...['pattern', 'x-brand', 'x-typed-id'],
])

/** Returns one row for each property of an object. */
export function describeProperties({ properties = {}, required = [] }: Schema): string {
  return formatTable({
    columns: ['property', 'type', 'required', 'description'],
    rows: Object.entries<Schema>(properties).map(([name, schema]) => [
      `\`${name}\``,
      typeOf(schema),
      required.includes(name) ? 'yes' : 'no',
      describe(schema),
    ]),
  })
}

/** Returns the name of a type, with a link if it is on the page. */
export function typeOf(schema: Schema): string {
  const { $ref, anyOf, items, type = 'any' } = schema
  if ($ref) return linkTo($ref)
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `array of ${typeOf(items)}`
  if (schema.enum) return schema.enum.map((value: unknown) => `\`${JSON.stringify(value)}\``).join(' or ')
  const names = [type].flat()
  return names.map((name) => (name === 'string' ? nameOfString(schema) : name)).join(' or ')
}

/** Returns the description of a schema and its limits. */
export function describe(schema: Schema): string {
  const limits = Object.entries(schema).flatMap(([keyword, value]) => {
    const limit = LIMITS[keyword]
    if (!limit && !STRUCTURE.has(keyword)) throw new Error(`no description of the keyword ${keyword}`)
    return limit ? [limit(value as never)] : []
  })
  return [escapeMarkdown(schema.description ?? ''), ...limits].filter(Boolean).join('; ')
}

/** Returns the ids that a document describes, by their pattern. */
export function findIdentifiers(part: unknown, found = new Map<string, string>()): Map<string, string> {
  if (typeof part !== 'object' || part === null) return found
  const schema = part as Schema
  if (typeof schema.pattern === 'string') found.set(schema.pattern, nameOfString(schema))
  for (const value of Object.values(part)) findIdentifiers(value, found)
  return found
}

function linkTo($ref: string): string {
  const name = $ref.split('/').at(-1) as string
  return `[${name}](#${name.toLowerCase()})`
}

/** Escapes HTML and Markdown outside of code. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/`[^`]+`|[<>*_]/g, (found) => (found.length > 1 ? found : `\\${found}`))

const nameOfString = ({ 'x-brand': brand }: Schema) => brand ?? 'string'
const count = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`
