import { readFileSync } from 'node:fs'
import pg from 'pg'
import { REPOSITORY } from 'testkit/documents.ts'
import { POSTGRES_BEFORE_18 } from 'testkit/postgres.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineId, idRegistry } from '../../src/index.ts'
import { defineTypeId } from '../../src/typeid.ts'
import { cli } from '../cli/terminal.ts'
import { testPostgres } from './postgres-claims.ts'

const UserId = defineId('user')
const MemberId = defineTypeId('team_member')

const PAGE = readFileSync(new URL('docs/guide/sql.md', REPOSITORY), 'utf8')
const [, code = ''] = /^```sql\n([^`]+)^```$/m.exec(PAGE) ?? []

/** The statements in the page. Some state their result: `select 1; -- → 1`. */
const statements = [...code.matchAll(/([^;]+;)(?:\s-- → (.+))?/g)].map(
  ([, text = '', value]) => ({
    text,
    value,
  }),
)

/**
 * Servers without `uuidv7()`. `pnpm --filter typed-id test:databases` installs
 * them and sets the variable.
 */
const BEFORE_18 = process.env.SERVERS_BEFORE_18 ? POSTGRES_BEFORE_18 : []
describe.each(BEFORE_18)('%s', (name) => void testPostgres(name))

describe('PostgreSQL 18', () => {
  const server = testPostgres()

  test('docs/guide/sql.md: the SQL returns the stated values on PostgreSQL', async () => {
    expect(statements.filter(({ value }) => value).length).toBeGreaterThan(1)
    const client = new pg.Client(server().url)
    await client.connect()
    await client.query('create schema page; set search_path = page')
    await client.query(
      (await cli(['sql', 'postgres', '--types', 'user,team,order_line'])).out,
    )
    for (const { text, value } of statements) {
      const { rows } = await client.query({ text, rowMode: 'array' })
      expect(rows, text).toEqual(value === undefined ? [] : [[value]])
    }
    await client.end()
  })

  test('a domain accepts the strings that `is` accepts, of ids and of TypeIDs', async () => {
    const client = new pg.Client(server().url)
    onTestFinished(() => client.end())
    await client.connect()
    await client.query('create schema domains; set search_path = domains')
    const printSql = async (...args: string[]) =>
      (await cli(['sql', 'postgres', ...args])).out
    const file = await printSql('--types', 'user,team_member')
    await client.query(file)
    await client.query(file) // the file can be run twice
    await client.query(await printSql('--typeid', '--types', 'plan'))
    for (const type of [UserId, MemberId, defineTypeId('plan')]) {
      const cast = (id: string) =>
        client.query(`select $1::${type.prefix}_id`, [id])
      for (const id of [
        UserId.example,
        UserId.toShort(UserId.example),
        MemberId.example,
        type.example,
        type.generate(),
      ].flatMap(near)) {
        if (type.is(id)) await cast(id)
        else await expect(cast(id), id).rejects.toMatchObject({ code: '23514' })
      }
    }
    const subject = await printSql(
      '--types',
      'user,team_member',
      '--union',
      'Subject',
    )
    await client.query(subject)
    await client.query(subject) // the file can be run twice
    const ids = idRegistry([UserId, MemberId])
    for (const id of [UserId, MemberId, defineId('role')].flatMap((type) =>
      near(type.generate()),
    )) {
      const cast = client.query('select $1::"Subject"', [id])
      if (ids.is(id)) await cast
      else await expect(cast, id).rejects.toMatchObject({ code: '23514' })
    }
    for (const types of ['user', 'user,team_member,role'])
      await expect(
        printSql('--types', types, '--union', 'Subject').then((text) =>
          client.query(text),
        ),
      ).rejects.toThrow('is not the domain of the ids of the type')
    await client.query(
      await printSql(
        '--types',
        'user,team_member',
        '--union',
        'Subject',
        '--drop',
      ),
    )
    expect(
      (await client.query(`select from pg_type where typname = 'Subject'`))
        .rowCount,
    ).toBe(0)
    await expect(
      printSql('--types', 'plan').then((text) => client.query(text)),
    ).rejects.toThrow('is not the domain of the ids of the type "plan"')
  })
})

const near = (id: string) => [
  id,
  `${id}0`,
  `${id}\n`,
  id.slice(0, -1),
  id.toUpperCase(),
  id.replace(/.$/, 'u'),
  '',
]
