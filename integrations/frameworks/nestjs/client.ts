import { createHttpClient } from '../client.ts'
import { createApp } from './recipe.ts'

export async function open() {
  const app = await createApp()
  await app.listen(0)
  const origin = await app.getUrl()
  return createHttpClient(
    (path, init) => fetch(origin + path, init),
    () => app.close(),
  )
}
