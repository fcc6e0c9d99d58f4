import { type AnyIdType, hasTwoForms } from './any-id.ts'
import { startOf } from './grammar.ts'

interface Described {
  readonly prefix: string
  readonly pattern: string
  readonly example: string
}

export function describeShortForm(prefix: string): string {
  return `${startOf(prefix)}<26 base32 digits>`
}

function describe(
  { prefix, pattern, example }: Described,
  form: string,
  keyword: string | false,
  brand: string,
) {
  return {
    // OpenAPI descriptions are Markdown. Without backticks, `<…>` would be an
    // HTML tag.
    description: `Identifier${prefix && ` of type ${prefix}`}: \`${form}\``,
    examples: [example],
    pattern,
    ...(keyword && { [keyword]: { prefix } }),
    'x-brand': toPascalCase(prefix) + brand,
  }
}

export function describeShortId(type: Described) {
  const isTypeId = /^[a-z_]*$/.test(type.prefix)
  const form = describeShortForm(type.prefix)
  return describe(type, form, isTypeId && 'x-typeid', 'ShortId')
}

export const formOf = (type: AnyIdType) =>
  hasTwoForms(type)
    ? `${type.prefix}-<lowercase uuid>`
    : describeShortForm(type.prefix)

export const describeType = (type: AnyIdType) =>
  hasTwoForms(type)
    ? describe(type, formOf(type), 'x-typed-id', 'Id')
    : describeShortId(type)

function toPascalCase(prefix: string): string {
  return prefix.replace(
    /_*(.)([^_]*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  )
}
