import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { TeamId, UserId } from '../orm/ids.ts'
import { createUser, UserList } from './recipe.tsx'
import { readTeam, Team, teamQuery } from './team-form.tsx'

test('React: ids are keys, short ids are links', () => {
  const warning = vi
    .spyOn(console, 'error')
    .mockImplementation(() => {})
  const [ada, bob] = [createUser('Ada'), createUser('Bob')]
  const list = UserList({ users: [ada, bob] })
  expect(
    list.props.children.map((row: { key: string }) => row.key),
  ).toEqual([ada.id, bob.id])
  expect(renderToStaticMarkup(list)).toBe(
    `<ul><li><a href="/users/${UserId.toShort(ada.id)}">Ada</a></li>` +
      `<li><a href="/users/${UserId.toShort(bob.id)}">Bob</a></li></ul>`,
  )
  expect(warning).not.toHaveBeenCalled()
})

test('TanStack Query: an id is the key of its record', async () => {
  vi.stubGlobal('fetch', async (path: string) =>
    Response.json({ name: path }),
  )
  const client = new QueryClient()
  await client.prefetchQuery(teamQuery(TeamId.example))
  vi.unstubAllGlobals()
  expect(client.getQueryData([TeamId.example])).toEqual({
    name: `/teams/${TeamId.example}`,
  })
  const team = createElement(Team, { id: TeamId.example })
  expect(
    renderToStaticMarkup(
      createElement(QueryClientProvider, { client }, team),
    ),
  ).toContain(TeamId.example)
})

test('a form accepts what a person types, and names what is wrong', () => {
  const read = (team: string) => {
    const form = new FormData()
    form.set('team', team)
    return readTeam(form)
  }
  expect(
    read(` ${TeamId.toShort(TeamId.example).toUpperCase()}`),
  ).toEqual({ id: TeamId.example })
  expect(read(UserId.example).error).toContain(
    'wrong type: expected team, received user',
  )
})
