import { UserId } from '../orm/ids.ts'

export interface User {
  id: UserId
  name: string
}

/** Generates the id in the browser, so the row keeps its key, and therefore its React state, after it is saved. */
export function createUser(name: string): User {
  return { id: UserId.generate(), name }
}

/** Uses the short form in links: it has no hyphen, so a double click selects all of it. */
export function UserList({ users }: { users: readonly User[] }) {
  return (
    <ul>
      {users.map((user) => (
        <li key={user.id}>
          <a href={`/users/${UserId.toShort(user.id)}`}>{user.name}</a>
        </li>
      ))}
    </ul>
  )
}
