import { expect, test } from 'vitest'
import { cli } from './terminal.ts'

const printSql = (types: string, ...args: string[]) =>
  cli(['sql', 'postgres', '--types', types, ...args])

test('sql prints the types in the given order and their examples', async () => {
  const { code, out, err } = await printSql('user,team')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^-- Printed by: typed-id sql postgres --types user,team\n/,
  )
  expect(out).toMatch(/user-0190163d[\s\S]+team-0190163d/)
})

test('sql --drop removes what the file creates', async () => {
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
  const created = namesOf((await printSql('user,team')).out, 'create')
  const { out } = await printSql('user,team', '--drop')
  const { out: typeIds } = await printSql('a'.repeat(60), '--typeid', '--drop')
  expect(typeIds).toMatch(
    /^-- Printed by: typed-id sql postgres --types a{60} --typeid --drop\n/,
  )
  expect(created.length).toBeGreaterThanOrEqual(2)
  expect(namesOf(out, 'drop')).toEqual(created)
})

test('sql quotes a domain where PostgreSQL would change or reject its name', async () => {
  const { out } = await printSql('orderLine,2fa,user')
  expect(
    [...out.matchAll(/create domain (\S+)/g)].map(([, name]) => name),
  ).toEqual(['"orderLine_id"', '"2fa_id"', 'user_id'])
})
