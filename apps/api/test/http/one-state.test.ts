import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, inject } from 'vitest'
import { bodyOf201, type Service, stored, storedUser, test } from '../support/http-fixture.ts'
import { type Toggling, WITH_ROLE, WITHOUT_ROLE } from '../support/role-toggler.ts'

const readers = [
  ['a user', (service: Service, id: string) => service.get(`/users/${id}`).then(({ json }) => json)],
  ['a page of users', (service: Service) => service.get('/users?limit=10').then(({ json }) => json[0])],
] as const

// A database in memory has one connection, so no other thread can write.
test.skipIf(inject('engine') === 'sqlite-memory').for(readers)(
  '%s is read as it was at one moment, while another thread changes its name and its roles together',
  async ([, read], { service, url }) => {
    const user = await storedUser(service, { name: WITHOUT_ROLE })
    const role = await bodyOf201(service.post('/roles', { name: 'toggled' }))
    const worker = new Worker(new URL('../support/role-toggler.ts', import.meta.url), {
      workerData: { url, user: stored(user.id), role: stored(role.id) } satisfies Toggling,
    })
    const seen = new Set<string>()
    try {
      for (let n = 0; n < 500 || seen.size < 2; n += 1) {
        const { name, roles } = await read(service, user.id)
        seen.add(`${name}: ${roles.length} roles`)
        await nextTurn() // as between two requests
      }
    } finally {
      await worker.terminate()
    }
    expect([...seen].sort()).toEqual([`${WITH_ROLE}: 1 roles`, `${WITHOUT_ROLE}: 0 roles`])
  },
)
