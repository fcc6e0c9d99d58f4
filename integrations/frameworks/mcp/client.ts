import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../client.ts'
import { createServer } from './recipe.ts'

export async function open(): Promise<Client> {
  const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair()
  const client = new McpClient({ name: 'matrix', version: '1.0.0' })
  await createServer().connect(serverTransport)
  await client.connect(clientTransport)

  async function call(name: string, input = {}): Promise<{ id: unknown } | { error: string }> {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult
    const [content] = result.content
    const text = content?.type === 'text' ? content.text : ''
    return result.isError ? { error: text.match(/error -\d+/)?.[0] ?? text } : JSON.parse(text)
  }

  return {
    find: (user_id) => call('find_user', { user_id }),
    create: async () => Object.values(await call('create_user'))[0],
    async document() {
      const { tools } = await client.listTools()
      return JSON.stringify(tools.find(({ name }) => name === 'find_user')?.inputSchema.properties?.user_id)
    },
    close: () => client.close(),
  }
}
