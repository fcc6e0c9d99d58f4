import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, describe, expect, test } from 'vitest'
import { defineId, idRegistry, uuidv4 } from '../../src/index.ts'
import { registerFunctions } from '../../src/sqlite.ts'
import { readSqliteScript } from './convert-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'typed-id-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

const script = readSqliteScript()
const uuids = Array.from({ length: 20 }, () => uuidv4())

/** Ways to run a script until its first error. The first needs the program `sqlite3`. */
const RUNNERS = [
  ['sqlite3', (file: string, text: string) => spawnSync('sqlite3', [file], { input: text }).status === 0],
  [
    'better-sqlite3',
    (file: string, text: string) => {
      const db = new Sqlite(file)
      registerFunctions(db, idRegistry([defineId('user')]))
      try {
        db.exec(text.replace(/^\.bail on$/m, ''))
        return true
      } catch {
        return false
      } finally {
        db.close()
      }
    },
  ],
] as const
const available = RUNNERS.filter(([name]) => name !== 'sqlite3' || !spawnSync('sqlite3', ['-version']).error)

let count = 0

/** Runs the script on a new database with the rows of a user and a post per uuid. */
function convert(run: (file: string, text: string) => boolean, text: string, ids: readonly string[]) {
  const file = join(folder, `${count++}.db`)
  const db = new Sqlite(file)
  db.exec(`create table users (id text primary key, name text not null);
    create table posts (id integer primary key, user_id text not null references users on delete cascade)`)
  const insertUser = db.prepare('insert into users values (?, ?)')
  const insertPost = db.prepare('insert into posts (user_id) values (?)')
  for (const [n, id] of ids.entries()) {
    insertUser.run(id, `user ${n}`)
    insertPost.run(id)
  }
  const read = () => ({
    users: db.prepare('select id, name from users order by name').all() as { id: string; name: string }[],
    posts: db.prepare('select id, user_id from posts order by id').all() as { id: number; user_id: string }[],
    schema: db.prepare('select sql from sqlite_schema order by 1').all(),
  })
  const before = read()
  const succeeded = run(file, text)
  const after = read()
  db.close()
  return { before, after, succeeded }
}

describe.each(available)('the script for SQLite, with %s', (name, run) => {
  test('converts a table and its references', () => {
    const { before, after, succeeded } = convert(run, script, uuids)
    expect(succeeded).toBe(true)
    expect(after.users).toEqual(before.users.map((row) => ({ ...row, id: `user-${row.id}` })))
    expect(after.posts).toEqual(before.posts.map((row) => ({ ...row, user_id: `user-${row.user_id}` })))
    expect(JSON.stringify(after.schema)).toContain('references users (id) on delete cascade')
  })

  test.each([
    ['an uppercase uuid', ['0190163D-8694-739B-AEA5-966C26F8AD91']],
    ['an uppercase letter after the first group', ['0190163d-8694-739b-aea5-966c26f8ad9A']],
    ['a hyphen in place of a digit', ['0190163d-8694-739b-aea5-966c26f8ad9-']],
    ['a text that is no uuid', ['1']],
  ])('changes nothing if a row has %s', (_, ids) => {
    const { before, after, succeeded } = convert(run, script, [...uuids, ...ids])
    expect(succeeded).toBe(false)
    expect(after).toEqual(before)
  })

  test.each([
    ['a reference has no row', `insert into posts (user_id) values ('${uuidv4()}')`],
    ['users have another column', 'alter table users add column email text'],
    [
      'posts have another column, which is generated',
      'alter table posts add column author text as (user_id)',
    ],
  ])('changes nothing if %s', (_, statement) => {
    const changed = script.replace('begin immediate;', `begin immediate; ${statement};`)
    const { before, after, succeeded } = convert(run, changed, uuids)
    expect(succeeded).toBe(false)
    expect(after).toEqual(before)
  })

  test.runIf(name === 'better-sqlite3')('typed_id_from_uuid rejects what is not a uuid', () => {
    const checked = script.replaceAll(/'user-' \|\| (id|user_id)/g, "typed_id_from_uuid('user', $1)")
    expect(convert(run, checked, uuids).succeeded).toBe(true)
    const { before, after, succeeded } = convert(run, checked, [`${uuids[0]?.slice(0, -1)}g`])
    expect(succeeded).toBe(false)
    expect(after).toEqual(before)
  })
})
