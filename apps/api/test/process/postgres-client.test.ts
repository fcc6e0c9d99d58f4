import pg from 'pg'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { NamedStatementClient } from '../../src/database/named-statements.ts'

async function connectOurs(config: object): Promise<NamedStatementClient> {
  const client = new NamedStatementClient(config)
  onTestFinished(() => client.end())
  await client.connect()
  return client
}

describe('a client returns what `pg` returns for', () => {
  const text = 'select $1::int as n'
  const plain = 'select 1 as n, 2 as n'
  const config = { text, values: [7] }
  type Done = (error: Error | null, result?: unknown) => void
  const forms: [string, (client: pg.Client, done: Done) => unknown][] = [
    ['(text)', (client) => client.query(plain)],
    ['(text, values)', (client) => client.query(text, [7])],
    ['(text, null)', (client) => client.query(plain, null as never)],
    ['(text, callback)', (client, done) => client.query(plain, done)],
    ['(text, values, callback)', (c, done) => c.query(text, [7], done)],
    ['(config)', (client) => client.query(config)],
    ['two statements', (client) => client.query(`${plain}; ${plain}`)],
    ['a wrong text', (client) => client.query('wrong')],
    ['a wrong text, callback', (c, done) => c.query('wrong $1', [7], done)],
    ['a wrong value', (client) => client.query(text, 7 as never)],
    [
      'a Submittable',
      (client, done) =>
        void client
          .query(new pg.Query(text, [7]))
          .on('error', done)
          .on('end', (result) => done(null, result)),
    ],
  ]
  test.for(forms)('%s', async ([, query]) => {
    const connectionString = inject('postgresUrl')
    const outcomes = [pg.Client, NamedStatementClient].map(async (Client) => {
      const client = new Client({ connectionString })
      await client.connect()
      const called = new Promise((resolve, reject) => {
        const returned = query(client, (error, result) =>
          error ? reject(error) : resolve(['called back', result]),
        )
        if (returned instanceof Promise)
          returned.then((result) => resolve(['promised', result]), reject)
      })
      const outcome = await called.then(
        (results) =>
          [results].flat(2).map((each) => {
            const { rows, command } = each as Partial<pg.QueryResult>
            return rows ? [rows, command] : each
          }),
        ({ code, message, stack }) => [code, message, /\.test\.ts/.test(stack)],
      )
      await client.end()
      return outcome
    })
    const [stock, ours] = await Promise.all(outcomes)
    expect(ours).toEqual(stock)
  })
})

test('a connection that the server ends fails its queries and emits an error as in `pg`', async () => {
  const connectionString = await emptyDatabaseForTest('postgres')
  const counter = await connectOurs({ connectionString })
  await counter.query('create sequence ends')
  const lose = async (Client: typeof pg.Client, queries: string[]) => {
    const client = new Client({ connectionString })
    await client.connect()
    const emitted = new Promise((resolve) => client.once('error', resolve))
    const failed = await Promise.allSettled(
      queries.map((text) => client.query(text)),
    )
    const event = String(await emitted)
    const later = await Promise.allSettled([client.query('select')])
    const reasons = [...failed, ...later].map((each) =>
      each.status === 'rejected' ? String(each.reason) : each.value.command,
    )
    return [...reasons, event]
  }
  const end = "select pg_terminate_backend(pg_backend_pid()), nextval('ends')"
  for (const queries of [[end, 'select'], [end]])
    expect(await lose(NamedStatementClient, queries)).toEqual(
      await lose(pg.Client, queries),
    )
  const { rows } = await counter.query('select last_value::int from ends')
  expect(rows, 'no statement runs twice').toEqual([{ last_value: 4 }])
})

test('a statement is not repeated behind other queries of its client', async () => {
  const connectionString = await emptyDatabaseForTest('postgres')
  const client = await connectOurs({ connectionString })
  await client.query(`
    create sequence attempts;
    create function fail(n integer) returns integer language plpgsql as
      $$ begin perform nextval('attempts'); raise sqlstate '40001'; end $$`)
  const queries = [
    client.query('begin'),
    client.query('select fail($1)', [1]),
    client.query('rollback'),
  ]
  expect(await Promise.allSettled(queries)).toMatchObject([
    { status: 'fulfilled' },
    { reason: { code: '40001' } },
    { status: 'fulfilled' },
  ])
  const { rows } = await client.query('select last_value::int from attempts')
  expect(rows).toEqual([{ last_value: 1 }])
})

test('a client returns the promises of its option', async () => {
  class Own<T> extends Promise<T> {}
  const connectionString = inject('postgresUrl')
  const client = await connectOurs({ connectionString, Promise: Own })
  const query = client.query('select')
  expect(query).toBeInstanceOf(Own)
  await query
})
