import { execFileSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { defineId } from 'typed-id'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** What each recipe exports. */
interface Recipe {
  createUser(
    name: string,
    teamId: string | null,
  ): Promise<{ id: string; name: string } | undefined>
  findUser(id: string): Promise<{ id: string; name: string } | null | undefined>
  readonly db: object
}

const ROOT = join(import.meta.dirname, '../..')
const UserId = defineId('user')
const TeamId = defineId('team')

/**
 * UUIDs of versions 7 and 4, as an application without typed ids has stored
 * them.
 */
const TEAM = '0190163d-8694-739b-aea5-966c26f8ad91'
const ADA = '550e8400-e29b-41d4-a716-446655440000'

let client: pg.Client
beforeAll(async () => {
  const server = await startPostgres()
  process.env.DATABASE_URL = server.url
  client = new pg.Client(server.url)
  await client.connect()
  return async () => {
    await client.end()
    await server.stop()
  }
})

describe.each([
  ['drizzle.md', 'Drizzle'],
  ['kysely.md', 'Kysely'],
  ['prisma.md', 'Prisma'],
  ['other-orms.md', 'TypeORM'],
  ['other-orms.md', 'MikroORM'],
])('the recipe of %s, %s, in an empty project', (file, name) => {
  let project: string
  let recipe: Recipe
  beforeAll(async () => {
    await client.query('drop table if exists users, teams')
    await client.query(
      `create table teams (id uuid primary key, name text not null)`,
    )
    await client.query(
      `create table users (id uuid primary key, name text not null, team_id uuid references teams)`,
    )
    await client.query(`insert into teams values ('${TEAM}', 'Engine')`)
    await client.query(`insert into users values ('${ADA}', 'Ada', '${TEAM}')`)
    project = copyPage(file, name)
    if (name === 'Prisma') generateClient(project)
    recipe = await import(join(project, 'recipe.ts'))
    await (recipe.db as { initialize?(): Promise<unknown> }).initialize?.()
  })
  afterAll(async () => {
    await close(recipe.db)
    rmSync(project, { recursive: true })
  })

  test('reads the rows of a table in use, and stores new ids as bare UUIDs', async () => {
    expect(await recipe.findUser(UserId.fromUuid(ADA))).toMatchObject({
      id: UserId.fromUuid(ADA),
      name: 'Ada',
    })
    expect(await recipe.findUser(UserId.generate())).toBeFalsy()
    const bob = await recipe.createUser('Bob', TeamId.fromUuid(TEAM))
    expect(UserId.is(bob?.id)).toBe(true)
    const { rows } = await client.query(
      `select id, team_id from users where name = 'Bob'`,
    )
    expect(rows).toEqual([
      { id: UserId.toUuid(UserId.parse(bob?.id)), team_id: TEAM },
    ])
  })

  test('rejects the id of another type, with the name of the column', async () => {
    const column = /in column (users|User)\.(id|team_?id)/i
    await expect(async () => recipe.findUser(TeamId.example)).rejects.toThrow(
      column,
    )
    await expect(async () =>
      recipe.createUser('Eve', UserId.example),
    ).rejects.toThrow(column)
    expect(
      (await client.query(`select from users where name = 'Eve'`)).rowCount,
    ).toBe(0)
  })

  test('has at most 50 lines, which import packages and generated files only', () => {
    const source = readFileSync(join(project, 'recipe.ts'), 'utf8')
    expect(source.split('\n').length).toBeLessThanOrEqual(51)
    const own = [...source.matchAll(/from '(\.[^']+)'/g)].filter(
      ([, path = '']) => !path.startsWith('./generated/'),
    )
    expect(own).toEqual([])
  })
})

/** Closes the connections, by the method that each ORM has for it. */
async function close(
  db: Partial<
    Record<'destroy' | 'close' | '$disconnect', () => Promise<void>>
  > & { $client?: pg.Pool },
) {
  await (db.$client
    ? db.$client.end()
    : (db.destroy?.() ?? db.close?.() ?? db.$disconnect?.()))
}

function generateClient(cwd: string): void {
  // The schema engine, which only migrations need, is not in any npm package.
  const PATH = `${join(cwd, 'node_modules/.bin')}:${process.env.PATH}`
  const env = {
    ...process.env,
    PATH,
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    CHECKPOINT_DISABLE: '1',
  }
  execFileSync('prisma', ['generate'], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/**
 * Writes what a section of a page shows into an empty project, as a reader
 * would: installs the packages of its `npm install` lines, from the packages of
 * this workspace, and copies its files. Returns the folder.
 */
function copyPage(file: string, heading: string): string {
  const text = readFileSync(join(ROOT, 'docs/recipes', file), 'utf8')
  const page =
    text.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`)) ??
    ''
  const project = mkdtempSync(join(tmpdir(), 'typed-id-recipe-'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(
    join(project, 'tsconfig.json'),
    '{ "compilerOptions": { "experimentalDecorators": true } }',
  )

  const installed = [...page.matchAll(/^npm install (.+)$/gm)].flatMap(
    ([, names = '']) => names.split(' '),
  )
  for (const name of installed.filter((word) => !word.startsWith('-'))) {
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'integrations/node_modules', name), link)
  }
  symlinkSync(
    join(ROOT, 'integrations/node_modules/.bin'),
    join(project, 'node_modules/.bin'),
  )

  for (const [, path = ''] of page.matchAll(/^<<< @\/\.\.\/(\S+)/gm))
    for (const file of globSync(path, { cwd: ROOT }))
      writeFileSync(
        join(project, file.split('/').at(-1) ?? ''),
        readFileSync(join(ROOT, file)),
      )
  return project
}
