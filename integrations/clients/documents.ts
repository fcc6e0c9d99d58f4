import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { defineId } from 'typed-id'
import { idSchema, shortIdSchema } from 'typed-id/zod'
import { z } from 'zod'

const SERVICE = join(import.meta.dirname, '../../apps/api/openapi')
const UserId = defineId('user')
const TeamId = defineId('team')

/** The documents that every generator reads. */
export const DOCUMENTS = {
  'profile-a': () => readFileSync(join(SERVICE, 'profile-a.json'), 'utf8'),
  'profile-b': () => readFileSync(join(SERVICE, 'profile-b.json'), 'utf8'),
  'short-ids': () => JSON.stringify(shortIdsDocument(), null, 2),
}
export type DocumentName = keyof typeof DOCUMENTS

/** Two endpoints of Profile B that accept either form of an id, documented for clients that send the short form. */
function shortIdsDocument() {
  const registry = new OpenAPIRegistry()
  const User = z.object({ id: idSchema(UserId), team_id: idSchema(TeamId).nullable() }).meta({ id: 'User' })
  registry.registerPath({
    method: 'get',
    path: '/users/lookup/{id}',
    operationId: 'lookUpUser',
    request: { params: z.object({ id: shortIdSchema(UserId) }) },
    responses: { 200: { description: 'The user', content: { 'application/json': { schema: User } } } },
  })
  registry.registerPath({
    method: 'get',
    path: '/users',
    operationId: 'listUsers',
    request: { query: z.object({ team_id: shortIdSchema(TeamId) }) },
    responses: {
      200: { description: 'All users', content: { 'application/json': { schema: z.array(User) } } },
    },
  })
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Short ids', version: '0.1.0' },
    servers: [{ url: '.' }],
  })
}
