import { defineId, uuidv7At } from 'typed-id'

const UserId = defineId('user')
const TeamId = defineId('team')
const OrderId = defineId('order')

/** Example inputs, by the label of their button. */
export const EXAMPLES: readonly (readonly [name: string, text: () => string])[] = [
  ['a log', createLogExample],
  ['an id', () => UserId.example],
  ['a TypeID', () => UserId.toShort(UserId.example)],
  ['upper case', () => 'USER_O1JOB3V1MMEEDTX9CPDGKFHBCH'],
  ['a uuid', () => UserId.toUuid(UserId.example)],
  ['bytes', () => '\\x0190163d8694739baea5966c26f8ad91'],
  ['base 62', () => 'user_2aUyqjCzEIiEcYMKj7TZtw'],
]

/** Creates a log whose ids contain times of the last minutes. */
function createLogExample(): string {
  const start = Date.now() - 240_000
  const uuidAt = (second: number) => uuidv7At(start + second * 1000)
  const user = UserId.fromUuid(uuidAt(0))
  const team = TeamId.fromUuid(uuidAt(7))
  const order = OrderId.fromUuid(uuidAt(31))
  const session = defineId('session').example
  const time = (second: number) => new Date(start + second * 1000).toISOString()
  return [
    `${time(0)} INFO  POST /users 201 ${user}`,
    `${time(7)} INFO  POST /teams 201 ${team} owner=${user}`,
    `${time(8)} INFO  PUT /teams/${team}/members/${UserId.toShort(user)} 204`,
    `${time(31)} INFO  POST /orders 201 {"id":"${order}","user_id":"${user}"}`,
    `${time(32)} DEBUG cache miss key=${session} trace=${uuidAt(32)}`,
    `${time(64)} WARN  GET /users/${user.toUpperCase()} 404`,
    `${time(65)} WARN  GET /teams/${TeamId.toShort(team).replaceAll('1', 'l').replaceAll('0', 'o')} 404`,
    `${time(90)} INFO  GET /orders/${order} 200`,
  ].join('\n')
}
