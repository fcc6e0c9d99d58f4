import fc from 'fast-check'
import type pg from 'pg'
import { type Server, startPostgres } from 'testkit/sockets/start-postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAttacks } from './convert-attacks.ts'
import { printConversion, readDatabase, withDatabase } from './convert-database.ts'
import { OBSTACLES } from './convert-features.ts'
import { testOnlinePage } from './convert-online.ts'
import { type Plan, type Schema, Schemas, writeSchema } from './convert-schemas.ts'

/** The number of random schemas, and the seed. */
const RUNS = Number(process.env.CONVERT_SCHEMAS ?? 8)
const SEED = process.env.CONVERT_SEED ? Number(process.env.CONVERT_SEED) : 27

/** Tests the file of --convert on a PostgreSQL server from a package. */
export function testConversion(name?: string): void {
  let server: Server
  let version = 0

  beforeAll(async () => {
    server = await startPostgres(name)
    await withDatabase(server.connection, async (client) => {
      await client.query('create role reader; create role owner')
      const { rows } = await client.query('show server_version_num')
      version = Math.floor(rows[0].server_version_num / 10_000)
    })
  })
  afterAll(() => server.stop())

  testAttacks(() => server.connection)
  testOnlinePage(() => server.connection)

  test(`converts ${RUNS} random schemas with their rows exactly and back, or rejects them and changes nothing`, async () => {
    const Obstacle = fc.option(fc.constantFrom(...OBSTACLES), { freq: 2 })
    await fc.assert(
      fc.asyncProperty(Schemas, Obstacle, (plan, obstacle) =>
        withDatabase(server.connection, async (client) => {
          const [statement, line = '', since = 13] = obstacle ?? []
          const schema = writeSchema(plan, version, version < since ? undefined : statement)
          if (version < since || !obstacle) return convertAndBack(client, schema)
          await client.query('begin')
          await expectRejection(client, schema, line)
          await client.query('rollback')
        }),
      ),
      { numRuns: RUNS, seed: SEED },
    )
  }, 3_600_000)

  test('rejects each obstacle with a line about it, and changes nothing', async () => {
    const plans = fc.sample(Schemas, { numRuns: OBSTACLES.length, seed: SEED })
    await withDatabase(server.connection, async (client) => {
      for (const [n, [statement, line, since = 13]] of OBSTACLES.entries()) {
        if (version < since) continue
        await client.query('begin')
        await expectRejection(client, writeSchema(plans[n] as Plan, version, statement), line)
        await client.query('rollback')
      }
    })
  }, 600_000)
}

async function convertAndBack(client: pg.Client, schema: Schema): Promise<void> {
  await client.query(schema.sql)
  const before = await readDatabase(client)
  await client.query(await printConversion(schema.arguments))
  const { rows } = await readDatabase(client)
  for (const [table, records] of Object.entries(before.rows)) {
    const expected = records.map((record) =>
      Object.fromEntries(
        Object.entries(record).map(([column, value]) => {
          const prefix = schema.prefixes.get(`${table}."${column.replaceAll('"', '""')}"`)
          return [column, prefix && value !== null ? `${prefix}-${value}` : value]
        }),
      ),
    )
    expect(rows[table]).toEqual(expected)
  }
  await client.query(await printConversion(schema.arguments, 'uuid'))
  expect(await readDatabase(client)).toEqual(before)
}

async function expectRejection(client: pg.Client, schema: Schema, line: string): Promise<void> {
  await client.query(schema.sql)
  const before = await readDatabase(client)
  const file = await printConversion(schema.arguments)
  await client.query('savepoint before')
  await expect(client.query(file)).rejects.toMatchObject({
    code: '0A000',
    message: expect.stringMatching(/^the conversion is rejected, and nothing has changed \(reasons: \d+\)$/),
    detail: expect.stringContaining(line),
  })
  await client.query('rollback to before')
  expect(await readDatabase(client)).toEqual(before)
}
