import { UserId } from './ids.ts'

export interface User {
  id: UserId
  name: string
}

/** The id is made here and sent along, so the row keeps its key, and with it its state, once it is saved. */
export function newUser(name: string): User {
  return { id: UserId.generate(), name }
}

/** The short form for links: without a hyphen, a double click selects the whole of it. */
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
