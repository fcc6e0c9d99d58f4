import { createHttpClient } from '../client.ts'
import { createApp } from './recipe.ts'

export async function open() {
  const app = await createApp()
  const origin = await app.listen({ port: 0 })
  return createHttpClient(
    (path, init) => fetch(origin + path, init),
    () => app.close(),
  )
}
