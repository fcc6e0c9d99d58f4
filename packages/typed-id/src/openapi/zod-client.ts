import { type IdSchema, isNullable, sourceOf, typesOf } from './schema.ts'

/** Matches a zod string with a pattern in code that openapi-zod-client has written. */
const STRING = /z\s*\.string\(\)\s*\.regex\(\s*\/([^/]+)\/\s*\)/g

interface Schema extends IdSchema {
  readonly $ref?: string
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

/**
 * Two functions for openapi-zod-client 1. `document` rewrites the document, because the generator ignores the pattern
 * of the type `['string', 'null']`, of a named schema, and of an id or null. `code` rewrites the result, so that the
 * input of a parameter is an id, too, not any string.
 *
 * @throws Error `document` throws it for an id in `anyOf`, `oneOf` or `allOf` with another schema than null.
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
    return JSON.parse(JSON.stringify(document), (_, value: Schema | null) => {
      const named = schemas[String(value?.$ref).replace('#/components/schemas/', '')]
      const schema = named && isId(named) ? named : value && idOrNull(value)
      return schema?.pattern && isNullable(schema) ? { ...schema, type: 'string', nullable: true } : schema
    })
  },
  code: (code: string): string =>
    code.replace(STRING, (string, pattern: string) => {
      const types = typesOf({ pattern })
      return types.length > 0 ? `z.custom<${sourceOf(types)}>((id) => /${pattern}/.test(String(id)))` : string
    }),
}

const isId = (schema: IdSchema) => typesOf(schema).length > 0

/** Returns the id schema of an `anyOf`, `oneOf` or `allOf` of an id and null. Returns any other schema unchanged. */
function idOrNull(schema: Schema): Schema {
  // A property of an object can have these names, too, but its value is not an array.
  const members = [schema.anyOf, schema.oneOf, schema.allOf].find((list) => Array.isArray(list)) ?? []
  const id = members.find(isId)
  if (!id) return schema
  const others = members.filter((member) => member !== id)
  if (others.some(({ type }) => type !== 'null'))
    throw new Error(
      'typed-id/openapi: openapi-zod-client drops the pattern of an id in anyOf, oneOf and allOf',
    )
  return others.length > 0 || isNullable(schema) ? { ...id, nullable: true } : id
}
