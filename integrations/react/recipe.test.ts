import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { UserId } from '../ids.ts'
import { createUser, UserList } from './recipe.tsx'

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
