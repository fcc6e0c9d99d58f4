import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { SERVERS, type Server } from '../databases.ts'
import { TeamId, UserId } from '../ids.ts'

/*
 * `typed-id sql` creates a PostgreSQL domain, such as `user_id`, for each type.
 * Tests whether a column keeps its domain when drizzle-kit changes the table to
 * fit a schema.
 */

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const project = mkdtempSync(join(tmpdir(), 'typed-id-push-'))

let server: Server
beforeAll(async () => {
  server = await SERVERS.PostgreSQL.start()
  const modules = join(ROOT, 'integrations/node_modules')
  symlinkSync(modules, join(project, 'node_modules'))
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(project, 'drizzle.config.ts'),
    `export default { dialect: 'postgresql', schema: './schema.ts', dbCredentials: { url: '${server.address}' } }`,
  )
  return async () => {
    await server.stop()
    rmSync(project, { recursive: true })
  }
})

beforeEach(async () => {
  const { stdout } = await run(process.execPath, [
    join(ROOT, 'packages/typed-id/src/cli.ts'),
    ...['sql', 'postgres', '--types', 'user,team'],
  ])
  await server.run(
    'drop schema public cascade; create schema public',
    stdout,
    `create table users (
      id user_id primary key default typed_id_generate('user'),
      team_id team_id,
      owner char(41),
      author varchar(41)
    )`,
    `insert into users (team_id, owner, author)
     values ('${TeamId.example}', '${UserId.example}', '${UserId.example}')`,
  )
})

const columns = () =>
  server.run(
    `select attname, format_type(atttypid, atttypmod) as type
     from pg_attribute where attrelid = 'users'::regclass and attnum > 0`,
  )

/**
 * Runs `drizzle-kit push` without a terminal, so a test fails if drizzle-kit
 * asks a question.
 */
async function push(schema: string) {
  writeFileSync(
    join(project, 'schema.ts'),
    `import { sql } from 'drizzle-orm'
import { customType, pgTable } from 'drizzle-orm/pg-core'
import { defineId } from 'typed-id'
import { idColumn } from 'typed-id/drizzle'

const UserId = defineId('user')
const TeamId = defineId('team')
${schema}`,
  )
  const { stdout } = await run(
    process.execPath,
    [join(project, 'node_modules/drizzle-kit/bin.cjs'), 'push', '--verbose'],
    { cwd: project },
  )
  return stdout
}

const insertNonsense = () =>
  server.run(`insert into users (id) values ('nonsense')`)

test('drizzle-kit push keeps the types that the columns name, and the default', async () => {
  const before = await columns()
  await push(`
const userId = idColumn(customType, UserId, { sqlType: 'user_id' })
const teamId = idColumn(customType, TeamId, { sqlType: 'team_id' })
const owner = idColumn(customType, UserId, { sqlType: 'char(41)' })
const author = idColumn(customType, UserId, { sqlType: 'varchar(41)' })
export const users = pgTable('users', {
  id: userId().primaryKey().default(sql\`typed_id_generate('user')\`),
  team_id: teamId(),
  owner: owner(),
  author: author(),
})`)
  expect(await columns()).toEqual(before)
  const [row] = await server.run('insert into users default values returning *')
  expect(UserId.is(row?.id)).toBe(true)
  await expect(insertNonsense()).rejects.toThrow('check constraint')
})

test('drizzle-kit push replaces a domain that a column does not name, without a question', async () => {
  const output = await push(`
const userId = idColumn(customType, UserId)
export const users = pgTable('users', {
  id: userId().primaryKey(),
  team_id: idColumn(customType, TeamId)(),
  owner: userId(),
  author: userId(),
})`)
  expect(output).toContain('ALTER COLUMN "id" SET DATA TYPE text')
  expect(output).toContain('ALTER COLUMN "id" DROP DEFAULT')
  await insertNonsense()
})
