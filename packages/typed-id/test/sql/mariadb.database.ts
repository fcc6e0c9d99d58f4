import { type MariaDb, startMariaDb } from 'testkit/sockets/start-mariadb.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineId } from '../../src/index.ts'
import { firstIdAt } from '../../src/range.ts'
import { cli } from '../cli/terminal.ts'
import type { Engine } from './claims.ts'
import { testFunctions } from './claims.ts'

const UserId = defineId('user')
const command = ['sql', 'mysql', '--types', 'user,team']
const { out: file } = await cli(command)

describe('MariaDB', () => {
  let server: MariaDb

  beforeAll(async () => {
    server = await startMariaDb()
    await server.run(file)
    await server.run(`set sql_mode = 'ORACLE,EMPTY_STRING_IS_NULL';\n${file}`) // can be run again, in any mode
  })
  afterAll(() => server.stop())

  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
  const settings =
    "sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES'), time_zone = '-03:30', default_regex_flags = 'MULTILINE'"
  const query = (text: string) => server.run(`set ${settings};\n${text}`)
  const engine: Engine = {
    async map(expression, rows) {
      const output = await query(`select ${expression} from json_table(${quote(JSON.stringify(rows))},
        '$[*]' columns (n for ordinality, a text path '$[0]', b text path '$[1]')) t order by n;`)
      return output
        .split('\n')
        .slice(0, -1)
        .map((result) => (result === 'NULL' ? null : result))
    },
    formatTime: (ms) => new Date(ms).toISOString().replace('T', ' ').replace('Z', '999'),
    toMilliseconds: (time) => `timestampdiff(microsecond, '1970-01-01', ${time}) div 1000`,
    maxTime: Date.UTC(9999, 11, 31, 23, 59, 59, 999),
    firstRandomBit: 66,
    insertUser: (id) =>
      query(
        `insert into typed_id_example_user (id) values (json_value(${quote(JSON.stringify([id]))}, '$[0]'));`,
      ),
  }
  testFunctions(() => engine)

  test('an id after a line break is rejected with the flag MULTILINE, too', async () => {
    await expect(engine.map('typed_id_to_short(a)', [[`x\n${UserId.example}`, '']])).rejects.toThrow(
      'malformed',
    )
  })

  test('the generated column contains the short form of 10,000 random ids, in the same order', async () => {
    const random = Array.from({ length: 10_000 }, () =>
      UserId.fromBytes(crypto.getRandomValues(new Uint8Array(16))),
    )
    const rows = quote(JSON.stringify(random))
    await query(`delete from typed_id_example_user; insert into typed_id_example_user (id)
      select id from json_table(${rows}, '$[*]' columns (id text path '$')) t;`)
    const output = await query('select id, short_id from typed_id_example_user order by short_id;')
    expect(output.trimEnd().split('\n')).toEqual(
      random.toSorted().map((id) => `${id}\t${UserId.toShort(id)}`),
    )
    const plan = await query(
      `create index short on typed_id_example_user (short_id);
      explain select * from typed_id_example_user where short_id = '${UserId.toShort(random[0] as never)}';
      explain select * from typed_id_example_user where id >= typed_id_first_at('user', '2024-06-14') and id < typed_id_first_at('user', '2024-06-15');`,
    )
    expect(plan).toMatch(/\bref\tshort\tshort\b.*\n.*\brange\tPRIMARY\tPRIMARY\b/)
  })

  test.each(['latin5', 'utf8mb4 collate utf8mb4_turkish_ci', 'binary', 'utf16'])(
    'the functions and columns work in a database of the character set %s',
    async (characters) => {
      const id = UserId.example
      const text = `create or replace database other character set ${characters}; use other;\nset names ${characters.replace('utf16', 'binary')};
        ${file} insert into typed_id_example_user (id) values ('${id}');
        select short_id, typed_id_to_short(id), typed_id_from_short(short_id), typed_id_first_at('user', typed_id_time(id)),
          typed_id_generate('user') regexp binary '${UserId.pattern}' from typed_id_example_user; drop database other;`
      const short = UserId.toShort(id)
      expect(await server.run(text)).toBe(
        `${short}\t${short}\t${id}\t${firstIdAt(UserId, UserId.timestamp(id) as Date)}\t1\n`,
      )
    },
  )

  test('the file of --drop removes everything', async () => {
    await query((await cli([...command, '--drop'])).out)
    expect(await query("show tables; show function status like 'typed_id%';")).toBe('')
  })
})
