import { defineId, type IdOf } from 'typed-id'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

export interface User {
  id: UserId
  name: string
}

/**
 * Generates the id in the browser, so that a row keeps its key when
 * it is saved.
 */
export function createUser(name: string): User {
  return { id: UserId.generate(), name }
}

/** Links contain the short form: a double click selects it whole. */
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
