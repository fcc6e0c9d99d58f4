import { unknownId } from './general-requests.ts'
import {
  type Assertion,
  type CollectedRequest,
  creating,
  del,
  equals,
  extension,
  fails,
  get,
  hasLength,
  inOrder,
  isEmpty,
  isId,
  isNull,
  lacks,
  pages,
  patch,
  post,
  returns,
  status,
} from './request.ts'
import { isSecret, user } from './setup-a.ts'

const USER = '/users/{{user_id}}'

const hasRoles = (count: number): Assertion => ['res.body.roles', `length ${count}`]

/** Asserts the name and the team that a PATCH must not change. */
const KEPT = returns(200, { name: 'Ada Lovelace', 'team.id': '{{team_id}}' })

/** Asserts the name and the team that a PATCH has set. */
const MOVED = [equals('name', 'Countess'), equals('team.id', '{{other_team_id}}')]

const TAKEN = fails(400, 'Email already registered')
const GONE = fails(404, 'User not found')

/** Requests whose responses depend on earlier requests, by folder. */
export const flowsA: Readonly<Record<string, readonly CollectedRequest[]>> = {
  reading: [
    get('reads a team', '/teams/{{team_id}}', returns(200, { id: '{{team_id}}', name: 'team' })),
    get('reads a user', USER, returns(200, { id: '{{user_id}}' }, ...isSecret)),
    get('reads the team of a user', '/users/{{member_id}}', returns(200, { 'team.id': '{{team_id}}' })),
    get('lists teams', '/teams', [status(200), inOrder('team')]),
    get('lists roles', '/roles', [status(200), inOrder('role')]),
    get('lists users', '/users', [status(200), inOrder('user')]),
    get(
      'lists the members of a team',
      '/users?team_id={{team_id}}',
      returns(200, { '[0].id': '{{member_id}}', '[0].team.id': '{{team_id}}' }, hasLength(1)),
    ),
    get('lists no member of an empty team', '/users?team_id={{other_team_id}}', [status(200), hasLength(0)]),
    extension(
      get('lists no member of an unknown team', `/users?team_id=${unknownId('team')}`, [
        status(200),
        hasLength(0),
      ]),
    ),
  ],
  paging: [
    ...pages('/teams', 'team', 'other_team'),
    ...pages('/roles', 'role', 'other_role'),
    ...pages('/users', 'user', 'member'),
  ],
  duplicates: [
    ...[
      ['the same address', 'Ada-{{run}}@example.com'],
      ['the address in lower case', 'ada-{{run}}@example.com'],
      ['the address in upper case', 'ADA-{{run}}@EXAMPLE.COM'],
    ].map(([what = '', email], n) => {
      const body = user('Ada', { email })
      const request = post(`rejects a second user with ${what}`, '/users', TAKEN, body)
      return n > 0 ? extension(request) : request
    }),
    post('checks the address before the team', '/users', TAKEN, user('Ada', { team_id: '{{team_id}}' })),
    extension(
      post('rejects a second role with the same name', '/roles', fails(400, 'Role name already exists'), {
        name: 'role-{{run}}',
      }),
    ),
    post(
      'accepts a second team with the same name',
      '/teams',
      [status(201), ['res.body.id', 'neq {{team_id}}']],
      { name: 'team' },
    ),
  ],
  patch: [
    patch('sets the name', USER, [equals('name', 'Ada Lovelace'), isNull('team')], { name: 'Ada Lovelace' }),
    patch('sets the team', USER, KEPT, { team_id: '{{team_id}}' }),
    patch('keeps both without fields', USER, KEPT, {}),
    patch('keeps a name that is null', USER, KEPT, { name: null }),
    patch('keeps a name that is empty', USER, KEPT, { name: '' }),
    patch('keeps a team that is null', USER, KEPT, { team_id: null }),
    patch('keeps both when both are null', USER, KEPT, { name: null, team_id: null }),
    patch('sets both', USER, MOVED, { name: 'Countess', team_id: '{{other_team_id}}' }),
    patch('does not change the address', USER, [equals('email', 'Ada-{{run}}@example.com')], {
      email: 'other-{{run}}@example.com',
    }),
    extension(
      patch('changes nothing when the team is unknown', USER, fails(404, 'Team not found'), {
        name: 'Nobody',
        team_id: unknownId('team'),
      }),
    ),
    get('keeps what was changed', USER, MOVED),
    get(
      'lists the user in its new team',
      '/users?team_id={{other_team_id}}',
      returns(200, { '[0].id': '{{user_id}}' }, hasLength(1)),
    ),
    get(
      'no longer lists the user in its former team',
      '/users?team_id={{team_id}}',
      returns(200, { '[0].id': '{{member_id}}' }, hasLength(1)),
    ),
  ],
  roles: [
    post(
      'assigns a role',
      `${USER}/roles/{{role_id}}`,
      returns(200, { 'roles[0].id': '{{role_id}}' }, hasRoles(1)),
    ),
    post('changes nothing when the user has the role', `${USER}/roles/{{role_id}}`, [
      status(200),
      hasRoles(1),
    ]),
    post('assigns a second role', `${USER}/roles/{{other_role_id}}`, [status(200), hasRoles(2)]),
    post('assigns the same role to a second user', '/users/{{member_id}}/roles/{{role_id}}', [
      status(200),
      hasRoles(1),
    ]),
    get(
      'reads a user with its roles',
      USER,
      returns(200, {}, hasRoles(2), isId('roles[1].id', 'role'), ...isSecret),
    ),
    get('lists a user with its roles', '/users?team_id={{other_team_id}}', [
      status(200),
      ['res.body[0].roles', 'length 2'],
    ]),
    post('checks the user first', `/users/${unknownId('user')}/roles/${unknownId('role')}`, GONE),
    post(
      'checks the role of a known user',
      `${USER}/roles/${unknownId('role')}`,
      fails(404, 'Role not found'),
    ),
    post(
      'rejects a role in place of the user',
      '/users/{{role_id}}/roles/{{user_id}}',
      returns(422, { 'detail[0].loc[1]': 'user_id' }),
    ),
  ],
  deletion: [
    del('deletes a user with roles', USER, [status(204), ['res.body', 'isEmpty']]),
    del('does not find a deleted user', USER, GONE),
    get('does not read a deleted user', USER, GONE),
    patch('does not change a deleted user', USER, GONE, { name: 'x' }),
    post('assigns no role to a deleted user', `${USER}/roles/{{role_id}}`, GONE),
    get('does not list a deleted user', '/users?team_id={{other_team_id}}', [status(200), hasLength(0)]),
    get('keeps the roles of other users', '/users/{{member_id}}', [status(200), hasRoles(1)]),
    creating(
      'new_user',
      post('accepts the address of a deleted user', '/users', [status(201), isEmpty('roles')], user('Ada')),
    ),
    get('lists all other users', '/users', [
      status(200),
      inOrder('member'),
      inOrder('new_user'),
      lacks('user'),
    ]),
  ],
}
