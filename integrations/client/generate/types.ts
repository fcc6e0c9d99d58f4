import { mkdir, readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import { REPOSITORY } from 'testkit/repository.ts'
import ts from 'typescript'

export const PROFILES = ['a', 'b'] as const

export type Profile = (typeof PROFILES)[number]

export const typesFile = (profile: Profile): URL =>
  new URL(`../src/generated/profile-${profile}.ts`, import.meta.url)

/** Generates the types of a profile's OpenAPI document, with the id types that `x-typed-id` names. */
export async function generateTypes(profile: Profile): Promise<string> {
  const file = new URL(`apps/api/openapi/profile-${profile}.json`, REPOSITORY)
  const nodes = await openapiTS(JSON.parse(await readFile(file, 'utf8')), {
    // A request may omit a field that has a default.
    defaultNonNullable: false,
    inject: "import type { TypedId } from 'typed-id'",
    transform: (schema) => createIdType(schema as { 'x-typed-id'?: { prefix: string }; type?: unknown }),
  })
  return astToString(nodes)
}

/** Returns `TypedId<'user'>`, `TypedId<'user'> | null` if it is nullable, or undefined if the schema is not an id. */
function createIdType(schema: {
  'x-typed-id'?: { prefix: string }
  type?: unknown
}): ts.TypeNode | undefined {
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

if (import.meta.main) {
  for (const profile of PROFILES) {
    await mkdir(new URL('./', typesFile(profile)), { recursive: true })
    await writeFile(typesFile(profile), await generateTypes(profile))
  }
}
