import type { OpenAPITSOptions } from 'openapi-typescript'
import ts from 'typescript'

type Extensions = Record<'x-typed-id' | 'x-typeid', { prefix: string } | undefined>

/** Options that write the type of an id where its schema has `x-typed-id` or `x-typeid`. */
export const typedIds: OpenAPITSOptions = {
  inject: "import type { ShortId, TypedId } from 'typed-id'",
  transform(schema) {
    const { 'x-typed-id': standard, 'x-typeid': short } = schema as unknown as Extensions
    const prefix = (standard ?? short)?.prefix
    if (prefix === undefined) return undefined
    const { factory } = ts
    const literal = factory.createLiteralTypeNode(factory.createStringLiteral(prefix))
    const id = factory.createTypeReferenceNode(standard ? 'TypedId' : 'ShortId', [literal])
    const isNullable = Array.isArray(schema.type) && schema.type.includes('null')
    return isNullable
      ? factory.createUnionTypeNode([id, factory.createLiteralTypeNode(factory.createNull())])
      : id
  },
}
