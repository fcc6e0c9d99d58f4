import { readFileSync } from 'node:fs'
import { type Document, operationsOf } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import { createRecords, findEntities } from './fuzz/records.ts'

const readDocument = (profile: string): Document =>
  JSON.parse(readFileSync(new URL(`../../apps/api/openapi/profile-${profile}.json`, import.meta.url), 'utf8'))

/** Profile A, with its teams renamed to projects. */
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
