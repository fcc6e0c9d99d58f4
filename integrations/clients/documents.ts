import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  OpenAPIRegistry,
  OpenApiGeneratorV3,
  OpenApiGeneratorV31,
} from '@asteasolutions/zod-to-openapi'
import { defineId, withJsonSchema } from 'typed-id'
import { opaqueIds } from 'typed-id/opaque'
import { defineTypeId } from 'typed-id/typeid'
import {
  eitherFormSchema,
  idSchema,
  opaqueIdSchema,
  shortIdSchema,
  uuidOrIdSchema,
} from 'typed-id/zod'
import { z } from 'zod'

const SERVICE = join(import.meta.dirname, '../../apps/api/openapi')
const UserId = defineId('user')
const TeamId = defineId('team')
const RoleId = defineId('role')

export const DOCUMENTS = {
  'profile-a': () => readFileSync(join(SERVICE, 'profile-a.json'), 'utf8'),
  'short-ids': () =>
    JSON.stringify(shortIdsDocument(OpenApiGeneratorV31, '3.1.0'), null, 2),
  'short-ids-30': () =>
    JSON.stringify(
      shortIdsDocument(OpenApiGeneratorV3, '3.0.3'),
      firstExample,
      2,
    ),
}

/**
 * A replacer for `JSON.stringify` that turns the first of the `examples` into
 * `example`, because OpenAPI 3.0 has no `examples`.
 */
function firstExample(_: string, value: { examples?: unknown }): unknown {
  if (!Array.isArray(value?.examples)) return value
  const { examples, ...schema } = value
  return { ...schema, example: examples[0] }
}

const { jsonSchema } = withJsonSchema(defineTypeId('order_line'))['~standard']
const Ids = z
  .object({
    idSchema: idSchema(UserId),
    shortIdSchema: shortIdSchema(UserId),
    'shortIdSchema, upper case': shortIdSchema(defineId('Invoice2')),
    eitherFormSchema: eitherFormSchema(UserId),
    uuidOrIdSchema: uuidOrIdSchema(UserId),
    opaqueIdSchema: opaqueIdSchema(
      opaqueIds(UserId, { keys: ['1:0f1e2d3c4b5a69788796a5b4c3d2e1f0'] }),
    ),
    withJsonSchema: z
      .string()
      .meta(jsonSchema.input({ target: 'openapi-3.0' })),
    'nullable eitherFormSchema': eitherFormSchema(UserId).nullable(),
    'array of eitherFormSchema': z.array(eitherFormSchema(UserId)),
    'named eitherFormSchema': eitherFormSchema(TeamId, { id: 'AnyTeam' }),
    'array, named': z.array(idSchema(RoleId, { id: 'RoleKey' })),
    'optional, named': idSchema(RoleId, { id: 'RoleKey' }).optional(),
  })
  .meta({ id: 'Ids' })

function shortIdsDocument(
  Generator: typeof OpenApiGeneratorV31 | typeof OpenApiGeneratorV3,
  openapi: string,
) {
  const registry = new OpenAPIRegistry()
  const User = z
    .object({ id: idSchema(UserId), team_id: idSchema(TeamId).nullable() })
    .meta({ id: 'User' })
  const short = z.object({ id: shortIdSchema(UserId) })
  const either = z.object({ id: eitherFormSchema(UserId) })
  const query = z.object({ team_id: shortIdSchema(TeamId) })
  for (const [path, operationId, request, schema] of [
    ['/users/lookup/{id}', 'lookUpUser', { params: short }, User],
    ['/users', 'listUsers', { query }, z.array(User)],
    ['/ids/{id}', 'getIds', { params: either }, Ids],
  ] as const) {
    const content = { 'application/json': { schema } }
    const responses = { 200: { description: operationId, content } }
    const method = 'get'
    registry.registerPath({ method, path, operationId, request, responses })
  }
  return new Generator(registry.definitions).generateDocument({
    openapi,
    info: { title: 'Short ids', version: '0.1.0' },
    servers: [{ url: '.' }],
  } as never)
}
