import { createHttpClient } from '../client.ts'
import { createDocument, handle } from './recipe.ts'

export const open = async () =>
  createHttpClient((path, init) =>
    path === '/openapi.json'
      ? Response.json(createDocument())
      : handle(new Request(`http://localhost${path}`, init)),
  )
