import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { idSchema } from 'typed-id/zod'
import { createUser, findUser, type User, UserId } from '../../users.ts'

const toResult = (user: User) => ({ content: [{ type: 'text' as const, text: JSON.stringify(user) }] })

export function createServer(): McpServer {
  const server = new McpServer({ name: 'users', version: '1.0.0' })
  const inputSchema = { user_id: idSchema(UserId) }
  server.registerTool('find_user', { description: 'Get a user', inputSchema }, ({ user_id }) =>
    toResult(findUser(user_id)),
  )
  server.registerTool('create_user', { description: 'Create a user' }, () => toResult(createUser()))
  return server
}
