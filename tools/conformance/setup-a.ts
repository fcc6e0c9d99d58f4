import { type Assertion, type CollectedRequest, equals, isEmpty, isId, isNull, status } from './request.ts'

/** Asserts that a response contains neither a password nor a password hash. */
export const isSecret: readonly Assertion[] = [
  ['res.body.password', 'isUndefined'],
  ['res.body.password_hash', 'isUndefined'],
]

/** The body of a registration. */
export const user = (name: string, more: object = {}) => ({
  json: { email: `${name}-{{run}}@example.com`, name, password: 'correct horse battery staple', ...more },
})

/** Creates the records that all later requests use. */
export const setupA: readonly CollectedRequest[] = [
  ...['team', 'other_team'].map((name) => ({
    name: `creates ${name}`,
    method: 'POST',
    path: '/teams',
    body: { json: { name } },
    assertions: [status(201), isId('id', 'team'), equals('name', name)],
    sets: { [`${name}_id`]: 'res.body.id' },
  })),
  ...['role', 'other_role'].map((name) => ({
    name: `creates ${name} without a description`,
    method: 'POST',
    path: '/roles',
    body: { json: { name: `${name}-{{run}}` } },
    assertions: [status(201), isId('id', 'role'), equals('name', `${name}-{{run}}`), isNull('description')],
    sets: { [`${name}_id`]: 'res.body.id' },
  })),
  {
    name: 'creates a role with a description',
    method: 'POST',
    path: '/roles',
    body: { json: { name: `described-{{run}}`, description: 'May do everything' } },
    assertions: [status(201), equals('description', 'May do everything')],
  },
  {
    name: 'registers a user without a team, and returns no password',
    method: 'POST',
    path: '/users',
    body: user('Ada'),
    assertions: [
      ...[status(201), isId('id', 'user'), equals('email', 'Ada-{{run}}@example.com'), equals('name', 'Ada')],
      ...[isNull('team'), isEmpty('roles'), ...isSecret],
    ],
    sets: { user_id: 'res.body.id' },
  },
  {
    name: 'registers a user with a team',
    method: 'POST',
    path: '/users',
    body: user('Grace', { team_id: '{{team_id}}' }),
    assertions: [status(201), equals('team.id', '{{team_id}}'), equals('team.name', 'team')],
    sets: { member_id: 'res.body.id' },
  },
]
