import { readFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

export const PROFILES = ['a', 'b'] as const

export type Profile = (typeof PROFILES)[number]

export const typesFile = (profile: Profile): URL =>
  new URL(`../src/generated/profile-${profile}.ts`, import.meta.url)

/** The types of a profile's OpenAPI document, in which every id is of its type: `x-typed-id` says which. */
export async function typesOf(profile: Profile): Promise<string> {
  const file = new URL(`../../../apps/api/openapi/profile-${profile}.json`, import.meta.url)
  const nodes = await openapiTS(JSON.parse(await readFile(file, 'utf8')), {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    inject: "import type { TypedId } from 'typed-id'",
    transform: (schema) => typedId(schema as { 'x-typed-id'?: { prefix: string }; type?: unknown }),
  })
  return `// Written by \`pnpm --filter client-example generate\` from apps/api/openapi/profile-${profile}.json.\n${astToString(nodes)}`
}

/** `TypedId<'user'>`, or null beside it; undefined leaves a schema to openapi-typescript. */
function typedId(schema: { 'x-typed-id'?: { prefix: string }; type?: unknown }): ts.TypeNode | undefined {
  const prefix = schema['x-typed-id']?.prefix
  if (prefix === undefined) return undefined
  const { factory } = ts
  const literal = factory.createLiteralTypeNode(factory.createStringLiteral(prefix, true))
  const id = factory.createTypeReferenceNode('TypedId', [literal])
  const nullable = Array.isArray(schema.type) && schema.type.includes('null')
  return nullable
    ? factory.createUnionTypeNode([id, factory.createLiteralTypeNode(factory.createNull())])
    : id
}
