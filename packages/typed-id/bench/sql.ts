/*
 * Prints the processor time of the SQL functions per call on PostgreSQL 18, beside uuidv7() and beside a round trip:
 * `pnpm --filter typed-id run bench:sql [rows]`. It needs Linux.
 */
import pg from 'pg'
import { startPostgres } from 'testkit/sockets/start-postgres.ts'
import { postgres } from '../src/cli/sql/postgres.ts'
import { defineId } from '../src/index.ts'
import { createProcessorClock, median } from './harness.ts'

const ROWS = Number(process.argv[2] ?? 20_000)
const ROUNDS = 15

const OPERATIONS = [
  'uuidv7()',
  'gen_random_uuid()',
  "typed_id_generate('user')",
  'typed_id_to_short(id)',
  'typed_id_from_short(short)',
  'typed_id_to_uuid(id)',
  "typed_id_from_uuid('user', uuid)",
  'typed_id_time(id)',
  "typed_id_first_at('user', time)",
  'id::user_id',
]
const EMPTY = '1'
const ROUND_TRIP = 'round trip: select of one row by its key'

const server = await startPostgres()
const client = new pg.Client(server.connection)
await client.connect()
await client.query(postgres.create([defineId('user')]))
await client.query(`create table ids as
  select id, typed_id_to_short(id) as short, typed_id_to_uuid(id) as uuid, typed_id_time(id) as time
  from (select typed_id_generate('user') as id from generate_series(1, ${ROWS})) t;
  create unique index on ids (id);
  analyze ids`)
const { rows } = await client.query('select pg_backend_pid() as pid, (select id from ids limit 1) as id')
const readClock = createProcessorClock(rows[0].pid)

const times = new Map([EMPTY, ROUND_TRIP, ...OPERATIONS].map((operation) => [operation, [] as number[]]))
for (let round = 0; round < ROUNDS; round++) {
  for (const [operation, found] of times) {
    const start = readClock()
    if (operation === ROUND_TRIP) {
      for (let i = 0; i < 1000; i++)
        await client.query({ name: 'one', text: 'select short from ids where id = $1', values: [rows[0].id] })
    } else {
      // OFFSET 0 prevents the planner from removing a column that is not used.
      await client.query(`select count(result) from (select ${operation} as result from ids offset 0) t`)
    }
    found.push((readClock() - start) / (operation === ROUND_TRIP ? 1000 : ROWS))
  }
}
await client.end()
await server.stop()

const medians = new Map([...times].map(([operation, found]) => [operation, median(found) * 1000]))
const empty = medians.get(EMPTY) as number
const timeOf = (operation: string) =>
  (medians.get(operation) as number) - (operation === ROUND_TRIP ? 0 : empty)
console.log(`PostgreSQL 18, processor time of the server, medians of ${ROUNDS} interleaved rounds\n`)
console.log(`${''.padEnd(42)}${'µs'.padStart(8)}${'uuidv7()'.padStart(12)}${'round trip'.padStart(12)}`)
for (const operation of [...OPERATIONS, ROUND_TRIP]) {
  const time = timeOf(operation)
  const ratios = ['uuidv7()', ROUND_TRIP].map((other) =>
    `${(time / timeOf(other)).toFixed(2)} x`.padStart(12),
  )
  console.log(operation.padEnd(42) + time.toFixed(2).padStart(8) + ratios.join(''))
}
