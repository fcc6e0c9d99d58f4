import { createClient } from '#generated/hey-api/profiles/a/client/index.ts'
import * as a from '#generated/hey-api/profiles/a/sdk.gen.ts'
import * as b from '#generated/hey-api/profiles/b/sdk.gen.ts'
import * as short from '#generated/hey-api/short-ids/sdk.gen.ts'
import type { ProfileA, ProfileB, ShortIds } from '../cases.ts'

export function profileA(baseUrl: string): ProfileA {
  const client = createClient({ baseUrl, throwOnError: true })
  return {
    createTeam: (body) => data(a.createTeam({ client, body, throwOnError: true })),
    createRole: (body) => data(a.createRole({ client, body, throwOnError: true })),
    createUser: (body) => data(a.createUser({ client, body, throwOnError: true })),
    assignRole: (user_id, role_id) =>
      data(a.assignRole({ client, path: { user_id, role_id }, throwOnError: true })),
    getUser: (user_id) => data(a.getUser({ client, path: { user_id }, throwOnError: true })),
    listUsers: (query) => data(a.listUsers({ client, query, throwOnError: true })),
    updateUser: (user_id, body) =>
      data(a.updateUser({ client, path: { user_id }, body, throwOnError: true })),
    deleteUser: (user_id) => a.deleteUser({ client, path: { user_id }, throwOnError: true }),
  }
}

export function profileB(baseUrl: string): ProfileB {
  const client = createClient({ baseUrl })
  return {
    createTeam: (body) => data(b.createTeam({ client, body, throwOnError: true })),
    getTeam: (team_id) => data(b.getTeam({ client, path: { team_id }, throwOnError: true })),
    createUser: (body) => data(b.createUser({ client, body, throwOnError: true })),
    createOrder: (body) => data(b.createOrder({ client, body, throwOnError: true })),
  }
}

export function shortIds(baseUrl: string): ShortIds {
  const client = createClient({ baseUrl })
  return {
    lookUpUser: (id) => data(short.lookUpUser({ client, path: { id }, throwOnError: true })),
    listUsers: (query) => data(short.listUsers({ client, query, throwOnError: true })),
  }
}

const data = async <T>(response: Promise<{ data: T }>) => (await response).data
