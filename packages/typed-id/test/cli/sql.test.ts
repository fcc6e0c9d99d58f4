import { describe, expect, test } from 'vitest'
import { cli } from './terminal.ts'

const ENGINES = ['postgres', 'sqlite', 'mysql']

describe('sql', () => {
  test.each(ENGINES)('prints the types in the given order and their examples for %s', async (engine) => {
    const { code, out, err } = await cli(['sql', engine, '--types', 'user,team'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(new RegExp(`^-- Printed by: typed-id sql ${engine} --types user,team\n`))
    expect(out).toMatch(/user-0190163d[\s\S]+team-0190163d/)
  })

  test.each(ENGINES)('--drop removes what the file for %s creates', async (engine) => {
    const namesOf = (text: string, verb: string) =>
      [
        ...text.matchAll(
          new RegExp(
            `^ *${verb} (?:or replace )?(domain|function|table) (?:if (?:not )?exists )?([^\\s(;]+)`,
            'gm',
          ),
        ),
      ]
        .map(([, kind, name]) => `${kind} ${name}`)
        .toSorted()
    const created = namesOf((await cli(['sql', engine, '--types', 'user,team'])).out, 'create')
    const { out } = await cli(['sql', engine, '--types', 'user,team', '--drop'])
    expect(created.length).toBeGreaterThanOrEqual(2)
    expect(namesOf(out, 'drop')).toEqual(created)
  })

  test('quotes a domain where PostgreSQL would change or reject its name', async () => {
    const { out } = await cli(['sql', 'postgres', '--types', 'orderLine,2fa,user'])
    expect([...out.matchAll(/create domain (\S+)/g)].map(([, name]) => name)).toEqual([
      '"orderLine_id"',
      '"2fa_id"',
      'user_id',
    ])
  })

  test('--convert passes names of tables and columns as values, and creates each domain once', async () => {
    const names = ['"o\'br\\ien"."new\nline"."a""b"', 'users.id', 'public.Users.ID']
    const { code, out } = await cli([
      'sql',
      'postgres',
      ...names.flatMap((name) => ['--convert', `${name}=user`]),
    ])
    expect(code).toBe(0)
    expect(out.split('\n')[0]).toBe(
      `-- Printed by: typed-id sql postgres --convert '"o'br\\ien"."new\\u{a}line"."a""b"=user' --convert 'users.id=user' --convert 'public.Users.ID=user'`,
    )
    expect(out.match(/create domain/g)).toHaveLength(1)
    expect(out).toContain(
      `array[E'"o''br\\\\ien"."new\nline"', 'users', 'public.Users']::pg_catalog.regclass[]`,
    )
    expect(out).toContain(`(pg_catalog.parse_ident('"a""b"'))[1]`)
  })

  test('--convert with --to uuid creates no domain', async () => {
    const { out } = await cli(['sql', 'postgres', '--convert', 'users.id=user', '--to', 'uuid'])
    expect(out).not.toContain('create domain')
    expect(out).toContain("array['user_id']::pg_catalog.regtype[],\n  true")
  })

  test.each([
    [['sql', 'sqlite', '--convert', 'users.id=user'], '--convert is for postgres'],
    [['sql', 'postgres', '--to', 'uuid'], '--to uuid expects --convert <table>.<column>=<prefix>'],
    [
      ['sql', 'postgres', '--convert', 'users.id=user', '--to', 'text'],
      '--to of sql expects uuid, received "text"',
    ],
    [
      ['sql', 'postgres', '--convert', 'users.id=user', '--types', 'user'],
      '--convert cannot be used with --types, --registry or --drop',
    ],
    [['sql', 'postgres', '--convert', 'users.id=user', '--drop'], '--convert cannot be used with'],
    [['sql', 'postgres', '--convert', 'users=user'], '<table>.<column>=<prefix>, such as users.id=user'],
    [['sql', 'postgres', '--convert', 'users.id'], 'received "users.id"'],
    [['sql', 'postgres', '--convert', 'a.b.users.id=user'], 'received "a.b.users.id=user"'],
    [
      ['sql', 'postgres', '--convert', 'users.id=u_r'],
      'invalid prefix: expected [a-zA-Z0-9]{1,63}, received "u_r"',
    ],
    [['sql'], 'sql expects one engine: postgres, sqlite, mysql'],
    [['sql', 'toString', '--types', 'user'], 'sql expects one engine: postgres, sqlite, mysql'],
    [['sql', 'postgres', 'sqlite', '--types', 'user'], 'sql expects one engine'],
    [['sql', 'postgres'], 'sql expects --types with prefixes, such as --types user,team'],
    [['sql', 'postgres', '--types', ''], 'sql expects --types'],
    [
      ['sql', 'postgres', '--types', "user'"],
      'invalid prefix: expected [a-zA-Z0-9]{1,63}, received "user\'"',
    ],
    [['sql', 'postgres', '--types', 'user,'], 'received ""'],
    [['sql', 'postgres', '--types', 'user,user'], 'expected one type per prefix, received "user"'],
    [['sql', 'postgres', '--types', 'a'.repeat(61)], 'a prefix for PostgreSQL has at most 60 characters'],
  ])('rejects %j with exit code 2', async (args, message) => {
    const { code, out, err } = await cli(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})
