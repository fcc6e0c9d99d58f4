import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const findUser = (id: UserId) => ({ id }) // read your database here

const toResult = (user: { id: UserId }) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(user) }],
})

export function createServer(): McpServer {
  const server = new McpServer({ name: 'users', version: '1.0.0' })
  server.registerTool(
    'find_user',
    {
      description: 'Get a user',
      inputSchema: { user_id: idSchema(UserId) },
    },
    ({ user_id }) => toResult(findUser(user_id)),
  )
  server.registerTool(
    'create_user',
    { description: 'Create a user' },
    () => toResult({ id: UserId.generate() }),
  )
  return server
}
