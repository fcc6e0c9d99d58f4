import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Document, operationsOf } from 'testkit/document.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRecords, findEntities } from './fuzz/records.ts'
import { createLedger, readStored, type StoredRecord } from './kit/ledger.ts'

const readDocument = (profile: string): Document =>
  JSON.parse(readFileSync(new URL(`../../apps/api/openapi/profile-${profile}.json`, import.meta.url), 'utf8'))

/** The document of Profile A, with teams renamed to projects. */
const withProjects: Document = JSON.parse(
  JSON.stringify(readDocument('a'))
    .replaceAll('"prefix":"team"', '"prefix":"project"')
    .replaceAll('^team-', '^project-'),
)

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

function createTeamOf(document: Document) {
  const operation = operationsOf(document).find(({ operationId }) => operationId === 'createTeam')
  if (operation === undefined) throw new Error('the document has no operation createTeam')
  return (records: ReturnType<typeof createRecords>, sent: object, received: object) =>
    records.add(operation, '/teams', JSON.stringify(sent), {
      status: 201,
      headers: new Map(),
      body: JSON.stringify(received),
    })
}

describe('the records that a fuzz campaign reads back', () => {
  test('are all that the documents describe, with the fields that clients send', () => {
    const entities = ['a', 'b'].map((profile) =>
      findEntities(readDocument(profile)).map(({ prefix, fields, read }) => [
        prefix,
        fields.join(),
        read?.path,
      ]),
    )
    expect(entities).toEqual([
      expect.arrayContaining([
        ['team', 'name', '/teams/{team_id}'],
        ['role', 'name,description', '/roles'],
        ['user', 'email,name', '/users/{user_id}'],
      ]),
      expect.arrayContaining([
        ['team', 'name', '/teams/{team_id}'],
        ['user', 'name,email,team_id', '/users/{user_id}'],
        ['order', 'user_id,product_id', undefined],
      ]),
    ])
  })

  test('include types with a prefix of any length: a trimmed name of a project is found in the response', () => {
    const createProject = createTeamOf(withProjects)
    const received = { id: `project-${UUID}`, name: 'x' }
    expect(() => createProject(createRecords(withProjects), { name: ' x ' }, received)).toThrow(
      `project-${UUID}: the response contains {"name":"x"`,
    )
  })

  test('are compared with what is stored: a trimmed name of a project is found when it is read back', async () => {
    const records = createRecords(withProjects)
    createTeamOf(withProjects)(records, { name: ' x ' }, { id: `project-${UUID}`, name: ' x ' })
    await expect(records.readBack(async () => ({ id: `project-${UUID}`, name: 'x' }))).rejects.toThrow(
      `project-${UUID}: stored {"name":"x"`,
    )
  })

  test('are counted by prefix', async () => {
    const records = createRecords(withProjects)
    const project = { id: `project-${UUID}`, name: ' x ' }
    createTeamOf(withProjects)(records, { name: ' x ' }, project)
    expect(await records.readBack(async () => project)).toEqual(new Map([['project', 1]]))
  })

  test('reject an id with a prefix that the document does not have', () => {
    const document = readDocument('a')
    const received = { id: `project-${UUID}`, name: 'x' }
    expect(() => createTeamOf(document)(createRecords(document), { name: 'x' }, received)).toThrow(
      `unknown prefix of "project-${UUID}"`,
    )
  })

  test('reject a document in which no operation returns what another one creates', () => {
    const { '/roles': roles, ...paths } = readDocument('a').paths
    const document = {
      ...readDocument('a'),
      paths: { ...paths, '/roles': { post: roles?.post } },
    } as Document
    expect(() => findEntities(document)).toThrow('createRole: no operation returns a role')
  })
})

const TEAM = { id: 'team-1', name: 'new' }

const stored = (...records: StoredRecord[]) => ({
  records: new Map(records.map((record) => ['key', record])),
  duplicates: [],
})

describe('the ledger of creations', () => {
  test('reports an acknowledged record that is not stored as lost', () => {
    const ledger = createLedger()
    ledger.acknowledge('key', { name: 'new' }, TEAM)
    ledger.compare(stored())
    expect(ledger.lost).toEqual(['key: not stored, expected {"id":"team-1","name":"new"}'])
  })

  test('accepts an uncertain record as stored or not, and from then on only in that state', () => {
    for (const [first, second] of [
      [stored(TEAM), stored()],
      [stored(), stored(TEAM)],
    ] as const) {
      const ledger = createLedger()
      ledger.addUncertain('key', { name: 'new' })
      ledger.compare(first)
      expect([...ledger.lost, ...ledger.inconsistent]).toEqual([])
      ledger.compare(second)
      expect([...ledger.lost, ...ledger.inconsistent]).toHaveLength(1)
    }
  })

  test('reports partial, duplicate and unexpected records as inconsistent', () => {
    const partial = { id: 'team-1', name: 'ne' }
    const ledger = createLedger()
    ledger.acknowledge('key', { name: 'new' })
    ledger.compare({ ...stored(partial), duplicates: ['team-1'] })
    expect(ledger.inconsistent).toEqual([
      'team-1 is stored more than once',
      'key: stored {"id":"team-1","name":"ne"}, expected {"name":"new"}',
    ])
    const uncertain = createLedger()
    uncertain.addUncertain('key', { name: 'new' })
    uncertain.compare(stored(partial))
    expect(uncertain.inconsistent).toHaveLength(1)
    const empty = createLedger()
    empty.compare(stored(TEAM))
    expect(empty.inconsistent).toEqual(['key: stored {"id":"team-1","name":"new"}, but no client wrote it'])
  })

  test('rejects a response that does not contain what the creation must produce', () => {
    expect(() => createLedger().acknowledge('key', { name: 'old' }, TEAM)).toThrow('the response contains')
  })

  test('reading the lists of a service reports a record that occurs twice', async () => {
    const users = ['user-1', 'user-2'].map((id) => ({ id, email: 'a@example.com' }))
    const lists: Record<string, object[]> = {
      '/teams': [TEAM, { ...TEAM, name: 'other' }],
      '/users': users,
    }
    const server = createServer(({ url = '' }, response) => response.end(JSON.stringify(lists[url])))
    onTestFinished(() => void server.close())
    await once(server.listen(0), 'listening')
    const { duplicates } = await readStored(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(duplicates).toEqual(['team-1', 'user a@example.com'])
  })
})
