import { PREFIX_PATTERN, SUFFIX_PATTERN, UUID_PATTERN } from './core/grammar.ts'

// In declaration files of other packages, TypeScript reports error TS4023 for
// an interface that is not exported, but inlines a type alias.
type TypeScript = {
  readonly factory: {
    createLiteralTypeNode(literal: never): unknown
    createNull(): unknown
    createStringLiteral(text: string): unknown
    createTypeReferenceNode(name: string, args: never): unknown
    createUnionTypeNode(types: never): unknown
  }
}

/**
 * Returns options for openapi-typescript 7. The argument is the module
 * `typescript`, whose factory creates the types.
 *
 * @example
 * const nodes = await openapiTS(document, { ...openapiTypescript(ts) })
 */
export function openapiTypescript({ factory }: TypeScript): {
  inject: string
  defaultNonNullable: boolean
  transform(schema: object): never
} {
  return {
    inject: "import type { ShortId, TypedId } from 'typed-id'",
    // With `true`, openapi-typescript would require fields with a default value
    // in requests.
    defaultNonNullable: false,
    transform(schema: object): never {
      const ids = typesOf(schema).map(({ name, prefix }) => {
        const literal = factory.createLiteralTypeNode(
          factory.createStringLiteral(prefix) as never,
        )
        return factory.createTypeReferenceNode(name, [literal] as never)
      })
      if (ids.length === 0) return undefined as never
      if (isNullable(schema))
        ids.push(factory.createLiteralTypeNode(factory.createNull() as never))
      return factory.createUnionTypeNode(ids as never) as never
    },
  }
}

interface TypeBuilder {
  (symbol: never): { generic(type: unknown): unknown }
  literal(value: string | null): unknown
  or(...types: unknown[]): unknown
}
type HeyApiContext = {
  readonly $: { readonly type: unknown }
  readonly plugin: { symbolOnce(name: never, meta: never): unknown }
}

/**
 * Returns a configuration of the plugin `@hey-api/typescript`. `manifest` is
 * the `package.json` of @hey-api/openapi-ts.
 *
 * @throws Error for a version before 0.99, which would ignore the
 * configuration.
 * @example
 * import manifest from '@hey-api/openapi-ts/package.json' with { type: 'json' }
 * export default defineConfig({ plugins: [heyApi(manifest), '@hey-api/sdk'] })
 */
export function heyApi({ version }: { readonly version: string }): {
  name: '@hey-api/typescript'
  $resolvers: {
    string(context: HeyApiContext & { readonly schema: object }): never
    union(context: HeyApiContext & { readonly parentSchema: object }): never
  }
} {
  const [major, minor] = version.split('.').map(Number) as [number, number]
  if (!(major > 0 || minor >= 99))
    throw new Error(
      `typed-id/openapi: expected @hey-api/openapi-ts 0.99 or later, received ${JSON.stringify(version)}`,
    )
  function createType(
    { $, plugin }: HeyApiContext,
    schema: object,
    nullable = false,
  ): never {
    const builder = $.type as TypeBuilder
    const ids = typesOf(schema).map(({ name, prefix }) => {
      const symbol = plugin.symbolOnce(
        name as never,
        { external: 'typed-id', kind: 'type' } as never,
      )
      return builder(symbol as never).generic(builder.literal(prefix))
    })
    if (nullable && ids.length > 0) ids.push(builder.literal(null))
    return (ids.length > 1 ? builder.or(...ids) : ids[0]) as never
  }
  return {
    name: '@hey-api/typescript',
    $resolvers: {
      string: (context: HeyApiContext & { readonly schema: object }) =>
        createType(context, context.schema),
      // For hey-api, a nullable id is a union, whose `parentSchema` has the
      // keywords of the id, such as `x-typed-id`.
      union: (context: HeyApiContext & { readonly parentSchema: object }) =>
        createType(context, context.parentSchema, true),
    },
  }
}

interface IdSchema {
  readonly type?: unknown
  readonly nullable?: unknown
  readonly pattern?: unknown
  readonly 'x-typed-id'?: { readonly prefix: string }
  readonly 'x-typeid'?: { readonly prefix: string }
}

interface ClientType {
  readonly name: 'TypedId' | 'ShortId'
  readonly prefix: string
}

const escapePattern = (text: string) => text.replace(/[[\]{}-]/g, '\\$&')
/**
 * Matches the `pattern` that `typed-id/zod` writes for standard ids, alone or
 * with short ids or bare UUIDs as a second form.
 */
const STANDARD = /* @__PURE__ */ new RegExp(
  `^\\^(${PREFIX_PATTERN})-${escapePattern(UUID_PATTERN)}\\$(?:\\|\\^(?:(\\1_)${escapePattern(SUFFIX_PATTERN)}|${escapePattern(UUID_PATTERN).replaceAll('f', 'f(?:A\\-F)?')})\\$)?$`,
)
const SHORT = /* @__PURE__ */ new RegExp(
  `^\\^(?:(\\w{1,63})_)?${escapePattern(SUFFIX_PATTERN)}\\$$`,
)

function typesOf({
  pattern,
  'x-typed-id': standard,
  'x-typeid': short,
}: IdSchema): ClientType[] {
  const source = String(pattern)
  const [, found, wide] = STANDARD.exec(source) ?? []
  const prefix = standard ? prefixOf('x-typed-id', standard) : found
  if (prefix) {
    const type: ClientType = { name: 'TypedId', prefix }
    return wide ? [type, { name: 'ShortId', prefix }] : [type]
  }
  const match = SHORT.exec(source)
  if (short) return [{ name: 'ShortId', prefix: prefixOf('x-typeid', short) }]
  return match ? [{ name: 'ShortId', prefix: match[1] ?? '' }] : []
}

/**
 * Throws for an invalid prefix, because openapi-typescript and hey-api write
 * the prefix into code.
 */
function prefixOf(
  key: string,
  { prefix }: { readonly prefix: string },
): string {
  if (typeof prefix === 'string' && /^\w{0,63}$/.test(prefix)) return prefix
  throw new Error(
    `typed-id/openapi: expected the prefix of an id in ${key}, received ${JSON.stringify(prefix)}`,
  )
}

const isNullable = ({ type, nullable }: IdSchema) =>
  nullable === true || (Array.isArray(type) && type.includes('null'))
