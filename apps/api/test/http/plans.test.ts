import { expect, inject } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/config/variables.ts'
import type { Database, Db } from '../../src/database/database.ts'
import { createLog } from '../../src/observability/log.ts'
import { created, newUser, test } from '../support/service.ts'

/** What reads or sorts a whole table. To put the few roles of one user in order is neither (`LAST TERM`, `Incremental`). */
const WHOLE = /SCAN|Seq Scan|TEMP B-TREE FOR (?!LAST TERM)|(?<!Incremental )Sort {2}\(/

/** Passes everything on, and keeps the text of every statement. */
function recording(db: Database, statements: Set<string>): Database {
  const recorded = (on: Db): Db => ({
    compiler: on.compiler,
    execute(statement, values) {
      statements.add(statement.sql)
      return on.execute(statement, values)
    },
  })
  return { ...db, ...recorded(db), write: (work) => db.write((tx) => work(recorded(tx))) }
}

test('every query of the service finds its rows by an index, whatever the size of a table', async ({
  service,
}) => {
  const statements = new Set<string>()
  const app = createApp({
    profile: PROFILES.a,
    db: recording(service.db, statements),
    log: createLog('silent'),
  })
  const call = (method: string, path: string, body?: unknown) =>
    app.request(path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    })
  const team = await created(service.post('/teams', { name: 'a' }))
  const role = await created(service.post('/roles', { name: 'a' }))
  const user = await created(service.post('/users', newUser({ team_id: team.id })))
  const answers = [
    await call('POST', '/teams', { name: 'b' }),
    await call('POST', '/roles', { name: 'b' }),
    await call('POST', '/users', newUser({ team_id: team.id })),
    await call('GET', `/teams/${team.id}`),
    await call('GET', `/users/${user.id}`),
    await call('PATCH', `/users/${user.id}`, { name: 'c', team_id: team.id }),
    await call('POST', `/users/${user.id}/roles/${role.id}`),
    await call('GET', '/teams'),
    await call('GET', '/roles'),
    await call('GET', '/users'),
    await call('GET', `/users?team_id=${team.id}&limit=1`),
    await call('DELETE', `/users/${user.id}`),
  ]
  for (const { status } of answers) expect(status).toBeLessThan(300)
  expect(statements.size).toBeGreaterThan(12)
  for (const statement of statements) {
    for (const step of await planOf(service.db, statement)) {
      expect(step, statement).not.toMatch(WHOLE)
    }
  }
})

async function planOf(db: Database, statement: string): Promise<string[]> {
  if (inject('engine') !== 'postgres') {
    const parameters = [...statement.matchAll(/\?/g)].map(() => null)
    const rows = await db.execute({ sql: `explain query plan ${statement}`, name: '' }, parameters)
    return (rows as { detail: string }[]).map(({ detail }) => detail)
  }
  return db.write(async (tx) => {
    // A table of three rows is read whole whatever indexes it has, unless that is made dear; parameters stay open.
    const plain = (sql: string) => tx.execute({ sql, name: '' }, [])
    await plain('set local enable_seqscan = off')
    await plain('set local enable_sort = off')
    await plain('set local plan_cache_mode = force_generic_plan')
    await plain(`prepare it as ${statement}`)
    const parameters = new Set(statement.match(/\$\d+/g)).size
    const rows = await plain(`explain execute it(${Array.from({ length: parameters }, () => 'null')})`)
    await plain('deallocate it')
    return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN'])
  })
}
