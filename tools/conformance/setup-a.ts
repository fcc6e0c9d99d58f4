import {
  type Assertion,
  type CollectedRequest,
  creating,
  isEmpty,
  isId,
  isNull,
  post,
  returns,
} from './request.ts'

/** Asserts that a response contains neither a password nor a password hash. */
export const isSecret: readonly Assertion[] = [
  ['res.body.password', 'isUndefined'],
  ['res.body.password_hash', 'isUndefined'],
]

/** Returns the body of a registration. */
export const user = (name: string, more: object = {}) => ({
  email: `${name}-{{run}}@example.com`,
  name,
  password: 'correct horse battery staple',
  ...more,
})

/** Creates the records that all later requests use. */
export const setupA: readonly CollectedRequest[] = [
  ...['team', 'other_team'].map((name) =>
    creating(name, post(`creates ${name}`, '/teams', returns(201, { name }, isId('id', 'team')), { name })),
  ),
  ...['role', 'other_role'].map((variable) => {
    const name = `${variable}-{{run}}`
    const assertions = returns(201, { name }, isId('id', 'role'), isNull('description'))
    return creating(
      variable,
      post(`creates ${variable} without a description`, '/roles', assertions, { name }),
    )
  }),
  post('creates a role with a description', '/roles', returns(201, { description: 'May do everything' }), {
    name: 'described-{{run}}',
    description: 'May do everything',
  }),
  creating(
    'user',
    post(
      'registers a user without a team, and returns no password',
      '/users',
      returns(
        201,
        { email: 'Ada-{{run}}@example.com', name: 'Ada' },
        ...[isId('id', 'user'), isNull('team'), isEmpty('roles'), ...isSecret],
      ),
      user('Ada'),
    ),
  ),
  creating(
    'member',
    post(
      'registers a user with a team',
      '/users',
      returns(201, { 'team.id': '{{team_id}}', 'team.name': 'team' }),
      user('Grace', { team_id: '{{team_id}}' }),
    ),
  ),
]
