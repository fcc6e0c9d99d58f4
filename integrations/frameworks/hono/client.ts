import { createHttpClient } from '../client.ts'
import { app } from './recipe.ts'

export const open = async () => createHttpClient((path, init) => app.request(path, init))
