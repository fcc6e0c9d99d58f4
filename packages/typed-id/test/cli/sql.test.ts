import { describe, expect, test } from 'vitest'
import { cli } from './terminal.ts'

describe('sql', () => {
  test('prints the types in the given order and their examples', async () => {
    const { code, out, err } = await cli([
      'sql',
      'postgres',
      '--types',
      'user,team',
    ])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      /^-- Printed by: typed-id sql postgres --types user,team\n/,
    )
    expect(out).toMatch(/user-0190163d[\s\S]+team-0190163d/)
  })

  test('--drop removes what the file creates', async () => {
    const namesOf = (text: string, verb: string) =>
      [
        ...text.matchAll(
          new RegExp(
            `^ *${verb} (?:or replace )?(domain|function) (?:if (?:not )?exists )?([^\\s(;]+)`,
            'gm',
          ),
        ),
      ]
        .map(([, kind, name]) => `${kind} ${name}`)
        .toSorted()
    const created = namesOf(
      (await cli(['sql', 'postgres', '--types', 'user,team'])).out,
      'create',
    )
    const { out } = await cli([
      'sql',
      'postgres',
      '--types',
      'user,team',
      '--drop',
    ])
    const typeIds = ['sql', 'postgres', '--types', 'a'.repeat(60), '--typeid']
    expect((await cli([...typeIds, '--drop'])).out).toMatch(
      /^-- Printed by: typed-id sql postgres --types a{60} --typeid --drop\n/,
    )
    expect(created.length).toBeGreaterThanOrEqual(2)
    expect(namesOf(out, 'drop')).toEqual(created)
  })

  test('quotes a domain where PostgreSQL would change or reject its name', async () => {
    const { out } = await cli([
      'sql',
      'postgres',
      '--types',
      'orderLine,2fa,user',
    ])
    expect(
      [...out.matchAll(/create domain (\S+)/g)].map(([, name]) => name),
    ).toEqual(['"orderLine_id"', '"2fa_id"', 'user_id'])
  })

  test.each([
    [['sql'], 'sql expects one engine: postgres'],
    [['sql', 'mysql', '--types', 'user'], 'sql expects one engine: postgres'],
    [
      ['sql', 'postgres', 'postgres', '--types', 'user'],
      'sql expects one engine',
    ],
    [
      ['sql', 'postgres'],
      'sql expects --types with prefixes, such as --types user,team',
    ],
    [['sql', 'postgres', '--types', ''], 'sql expects --types'],
    [
      ['sql', 'postgres', '--types', "user'"],
      'invalid prefix: expected 1 to 63 letters and digits, received "user\'"',
    ],
    [['sql', 'postgres', '--types', 'user,'], 'received ""'],
    [
      ['sql', 'postgres', '--types', 'user,user'],
      'expected one type per prefix, received "user"',
    ],
    [
      ['sql', 'postgres', '--types', 'a'.repeat(61)],
      'a prefix for PostgreSQL has at most 60 characters',
    ],
  ])('rejects %j with exit code 2', async (args, message) => {
    const { code, out, err } = await cli(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
  })
})
