/*
 * Plugins for generators of TypeScript clients. Each writes `TypedId<'user'>` where an OpenAPI document has the schema of an
 * id. They receive what they need from their generator, so this module imports no generator.
 */
import { PREFIX_PATTERN, SUFFIX_PATTERN, UUID_PATTERN } from './core/grammar.ts'

interface IdSchema {
  readonly type?: unknown
  readonly pattern?: unknown
  readonly 'x-typed-id'?: { readonly prefix: string }
  readonly 'x-typeid'?: { readonly prefix: string }
}

interface ClientType {
  readonly name: 'TypedId' | 'ShortId'
  readonly prefix: string
}

const escapePattern = (text: string) => text.replace(/[[\]{}-]/g, '\\$&')
/** Matches the source of each pattern of `typed-id/zod`. A wide pattern starts with the standard form. */
const STANDARD = /* @__PURE__ */ new RegExp(
  `^\\^(${PREFIX_PATTERN})-${escapePattern(UUID_PATTERN)}\\$(?:\\|\\^(?:(\\1_)${escapePattern(SUFFIX_PATTERN)}|${escapePattern(UUID_PATTERN)})\\$)?$`,
)
const SHORT = /* @__PURE__ */ new RegExp(`^\\^(?:(\\w{1,63})_)?${escapePattern(SUFFIX_PATTERN)}\\$$`)

/**
 * Returns the type that a client has for a schema: two types for a schema that accepts both forms, none if it is not the
 * schema of an id. Bare UUIDs have no type, so a schema that also accepts them has that of the standard form. The
 * pattern identifies an id without keys, such as a short id whose prefix no TypeID has.
 */
function typesOf({ pattern, 'x-typed-id': standard, 'x-typeid': short }: IdSchema): ClientType[] {
  const source = typeof pattern === 'string' ? pattern : ''
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

/** The prefix becomes code of the client. */
function prefixOf(key: string, { prefix }: { readonly prefix: string }): string {
  if (typeof prefix === 'string' && /^\w{0,63}$/.test(prefix)) return prefix
  throw new Error(
    `typed-id/openapi: expected the prefix of an id in ${key}, received ${JSON.stringify(prefix)}`,
  )
}

function sourceOf(types: ClientType[]): string {
  const source = types.map(({ name, prefix }) => `import('typed-id').${name}<'${prefix}'>`).join(' | ')
  return types.length > 1 ? `(${source})` : source
}

const isNullable = ({ type }: IdSchema) => Array.isArray(type) && type.includes('null')

interface TypeScript {
  readonly factory: {
    createLiteralTypeNode(literal: never): unknown
    createNull(): unknown
    createStringLiteral(text: string): unknown
    createTypeReferenceNode(name: string, args: never): unknown
    createUnionTypeNode(types: never): unknown
  }
}

/**
 * Returns options for openapi-typescript 7.
 *
 * @param typescript the module `typescript`, whose factory creates the types
 * @example
 * const nodes = await openapiTS(document, { ...openapiTypescript(ts) })
 */
export function openapiTypescript({ factory }: TypeScript): {
  inject: string
  transform(schema: object): never
} {
  return {
    inject: "import type { ShortId, TypedId } from 'typed-id'",
    transform(schema: object): never {
      const ids = typesOf(schema).map(({ name, prefix }) => {
        const literal = factory.createLiteralTypeNode(factory.createStringLiteral(prefix) as never)
        return factory.createTypeReferenceNode(name, [literal] as never)
      })
      if (ids.length === 0) return undefined as never
      if (isNullable(schema)) ids.push(factory.createLiteralTypeNode(factory.createNull() as never))
      return factory.createUnionTypeNode(ids as never) as never
    },
  }
}

interface TypeBuilder {
  (symbol: never): { generic(type: unknown): unknown }
  literal(value: string | null): unknown
  or(...types: unknown[]): unknown
}
interface HeyApiContext {
  readonly $: { readonly type: unknown }
  readonly plugin: { symbolOnce(name: never, meta: never): unknown }
}

/**
 * Returns the plugin `@hey-api/typescript` for @hey-api/openapi-ts 0.99 and later.
 *
 * @param manifest the `package.json` of @hey-api/openapi-ts
 * @throws Error for an earlier version, which would ignore the plugin.
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
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (!(major > 0 || minor >= 99))
    throw new Error(
      `typed-id/openapi: expected @hey-api/openapi-ts 0.99 or later, received ${JSON.stringify(version)}`,
    )
  function createType({ $, plugin }: HeyApiContext, schema: object, nullable = false): never {
    const builder = $.type as TypeBuilder
    const ids = typesOf(schema).map(({ name, prefix }) => {
      const symbol = plugin.symbolOnce(name as never, { external: 'typed-id', kind: 'type' } as never)
      return builder(symbol as never).generic(builder.literal(prefix))
    })
    if (nullable && ids.length > 0) ids.push(builder.literal(null))
    return (ids.length > 1 ? builder.or(...ids) : ids[0]) as never
  }
  return {
    name: '@hey-api/typescript',
    $resolvers: {
      string: (context: HeyApiContext & { readonly schema: object }) => createType(context, context.schema),
      /** A nullable id is a union that has the keys, of members without them. */
      union: (context: HeyApiContext & { readonly parentSchema: object }) =>
        createType(context, context.parentSchema, true),
    },
  }
}

/** The part of Node that `orval` uses. It is not imported, so that bundlers can read this module. */
interface Files {
  readFileSync(file: string, encoding: 'utf8'): string
  writeFileSync(file: string, code: string): void
}

/**
 * Returns two functions for orval 8: `transformer`, for `input.override.transformer`, makes each kind of id a component, of
 * which orval writes a type alias, and `afterAllFilesWrite`, for `hooks`, gives the aliases their types.
 *
 * @param files the module `node:fs`
 * @throws Error The functions throw it for a component of another schema with the name of an id type, such as `UserId`, and
 * for an alias that orval has not written.
 * @example
 * const { transformer, afterAllFilesWrite } = orval(fs)
 */
export function orval({ readFileSync, writeFileSync }: Files): {
  transformer<Document extends object>(document: Document): Document
  afterAllFilesWrite(paths: unknown): void
} {
  /** The types of ids, by the name of their alias. */
  const types = new Map<string, string>()

  function transformer<Document extends object>(document: Document): Document {
    types.clear() // of the project before
    const named = JSON.parse(JSON.stringify(document), (_, schema: IdSchema & { 'x-brand'?: string }) => {
      const found = schema && typeof schema === 'object' ? typesOf(schema) : []
      if (found.length === 0) return schema
      const name = aliasOf(found)
      const source = sourceOf(found)
      if ((types.get(name) ?? source) !== source)
        throw new Error(`typed-id/openapi: ${types.get(name)} and ${source} have one name, ${name}`)
      types.set(name, source)
      const reference = { $ref: `#/components/schemas/${name}` }
      return isNullable(schema) ? { anyOf: [reference, { type: 'null' }] } : reference
    })
    named.components ??= {}
    const { schemas = {} } = named.components
    for (const name of types.keys()) {
      if (schemas[name] && schemas[name].$ref !== `#/components/schemas/${name}`)
        throw new Error(`typed-id/openapi: the component ${name} has the name of an id type`)
      schemas[name] = { type: 'string' }
    }
    named.components.schemas = schemas
    return named
  }

  function afterAllFilesWrite(paths: unknown): void {
    const missing = new Set(types.keys())
    for (const path of paths as string[]) {
      const code = readFileSync(path, 'utf8').replace(
        /^export type (\w+) = string;$/gm,
        (alias, name: string) => {
          if (!types.has(name)) return alias
          missing.delete(name)
          return `export type ${name} = ${types.get(name)};`
        },
      )
      writeFileSync(path, code)
    }
    if (missing.size > 0)
      throw new Error(`typed-id/openapi: orval has written no alias ${[...missing].join(', ')}`)
  }

  return { transformer, afterAllFilesWrite }
}

/** Returns the name of an alias: `UserId`, `OrderLineShortId`, `AnyUserId` for both forms. */
function aliasOf([type, other]: ClientType[]): string {
  const { name, prefix } = type as ClientType
  const pascal = prefix.replace(
    /_*(.)([^_]*)/g,
    (_, first: string, rest: string) => first.toUpperCase() + rest,
  )
  return (other ? 'Any' : '') + pascal + name.replace('Typed', '')
}

/** Matches a string with a pattern in the code of openapi-zod-client. */
const STRING = /z\s*\.string\(\)\s*\.regex\(\s*\/([^/]+)\/\s*\)/g

/**
 * Functions for openapi-zod-client 1: `document` for the document, because the generator ignores the pattern of
 * `['string', 'null']` and of a named schema, and `code` for its result. The input of a parameter then is an id, too, not
 * any string.
 *
 * @example
 * const code = await generateZodClientFromOpenAPI({ openApiDoc: openapiZodClient.document(document), … })
 * writeFileSync('client.ts', openapiZodClient.code(code))
 */
export const openapiZodClient: {
  document<Document extends object>(document: Document): Document
  code(code: string): string
} = {
  document<Document extends object>(document: Document): Document {
    const { schemas = {} } =
      (document as { components?: { schemas?: Record<string, IdSchema> } }).components ?? {}
    return JSON.parse(JSON.stringify(document), (_, value: (IdSchema & { $ref?: string }) | null) => {
      const named = schemas[String(value?.$ref).replace('#/components/schemas/', '')]
      const schema = named && typesOf(named).length > 0 ? named : value
      return schema?.pattern && isNullable(schema) ? { ...schema, type: 'string', nullable: true } : schema
    })
  },
  code: (code: string): string =>
    code.replace(STRING, (string, pattern: string) => {
      const types = typesOf({ pattern })
      return types.length > 0 ? `z.custom<${sourceOf(types)}>((id) => /${pattern}/.test(String(id)))` : string
    }),
}

/**
 * The option `primitiveTypeConstructs` of swagger-typescript-api 13.
 *
 * @example
 * await generateApi({ input, output, primitiveTypeConstructs: swaggerTypescriptApi })
 */
export const swaggerTypescriptApi = <Constructs extends object>(
  constructs: Constructs,
): Constructs & { string: { $default(schema: object): string } } => ({
  ...constructs,
  string: {
    ...(constructs as { string?: object }).string,
    $default: (schema: object): string => sourceOf(typesOf(schema)) || 'string',
  },
})

interface RedoclyNode {
  kind?: string
  name?: string
  metadata?: { pattern?: string }
}

/**
 * A generator of `redocly generate-client`, which writes no file and runs before `typescript`. It turns ids into references to
 * their types, and knows them by their pattern, because the model has no `x-` keys.
 *
 * @example
 * redocly generate-client openapi.json --generator typed-id/openapi --generator typescript
 */
export const generator: { name: string; run(input: { model: object }): [] } = {
  name: 'typed-ids',
  run({ model }: { model: object }): [] {
    visit(model)
    return []
  },
}

function visit(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const node = value as RedoclyNode
  const type = node.kind === 'scalar' && node.metadata ? sourceOf(typesOf(node.metadata)) : ''
  if (type) {
    node.kind = 'ref'
    node.name = type
  }
  Object.values(node).forEach(visit)
}
