/** The three operations of each recipe, as a client sees them. */
export interface Client {
  /** Requests the user with an id: returns the id in the response, or a description of the error. */
  find(id: string): Promise<{ id: unknown } | { error: string }>
  /** Creates a user, and returns the generated id. */
  create(): Promise<unknown>
  /** Returns the part of the generated document that describes the id. */
  document(): Promise<string>
  close?(): Promise<unknown>
}

/** A module `frameworks/<name>/client.ts`. */
export interface Framework {
  /** Starts the recipe. */
  open(): Promise<Client>
}

const JSON_BODY = { 'content-type': 'application/json' }

interface Document {
  paths: Record<string, { get: { parameters: { name: string; schema: unknown }[] } }>
}

/** Returns the client of a recipe that serves HTTP. */
export function createHttpClient(
  request: (path: string, init?: RequestInit) => Response | Promise<Response>,
  close?: () => Promise<unknown>,
): Client {
  return {
    async find(id) {
      const response = await request(`/users/${id}`)
      return response.ok
        ? { id: ((await response.json()) as { id: unknown }).id }
        : { error: `status ${response.status}` }
    },
    async create() {
      const response = await request('/users', { method: 'POST', headers: JSON_BODY, body: '{}' })
      return ((await response.json()) as { id: unknown }).id
    },
    async document() {
      const { paths } = (await (await request('/openapi.json')).json()) as Document
      const parameters = paths['/users/{user_id}']?.get.parameters
      return JSON.stringify(parameters?.find(({ name }) => name === 'user_id')?.schema)
    },
    ...(close && { close }),
  }
}
