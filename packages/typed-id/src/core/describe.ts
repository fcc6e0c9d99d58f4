/*
 * The JSON Schema keywords of an id. `typed-id/zod` and `withJsonSchema` write
 * the same keywords. Keywords with `x-` are for code generators:
 *
 *   x-typed-id   { prefix } of a standard id
 *   x-typeid     { prefix } of a TypeID
 *   x-brand      a name for the branded type
 *
 * Descriptions are Markdown, so `<lowercase uuid>` is in backticks. Without
 * them, it would be an HTML tag.
 */

import { type AnyIdType, hasTwoForms } from './any-id.ts'
import { startOf } from './grammar.ts'

interface Described {
  readonly prefix: string
  readonly pattern: string
  readonly example: string
}

function describeStandardForm(prefix: string): string {
  return `${prefix}-<lowercase uuid>`
}

export function describeShortForm(prefix: string): string {
  return `${startOf(prefix)}<26 base32 digits>`
}

function describeId({ prefix, pattern, example }: Described) {
  return {
    description: `Identifier of type ${prefix}: \`${describeStandardForm(prefix)}\``,
    examples: [example],
    pattern,
    'x-typed-id': { prefix },
    'x-brand': `${toPascalCase(prefix)}Id`,
  }
}

export function describeShortId({ prefix, pattern, example }: Described) {
  const isTypeId = /^[a-z_]*$/.test(prefix)
  return {
    description: `Identifier${prefix && ` of type ${prefix}`}: \`${describeShortForm(prefix)}\``,
    examples: [example],
    pattern,
    ...(isTypeId && { 'x-typeid': { prefix } }),
    'x-brand': `${toPascalCase(prefix)}ShortId`,
  }
}

export const formOf = (type: AnyIdType) =>
  (hasTwoForms(type) ? describeStandardForm : describeShortForm)(type.prefix)

export const describeType = (type: AnyIdType) =>
  (hasTwoForms(type) ? describeId : describeShortId)(type)

function toPascalCase(prefix: string): string {
  return prefix.replace(
    /_*(.)([^_]*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  )
}
