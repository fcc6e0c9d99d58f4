import { unknownId } from './general-requests.ts'
import {
  type Assertion,
  type CollectedRequest,
  del,
  equals,
  fails,
  get,
  hasLength,
  inOrder,
  isEmpty,
  isId,
  isNull,
  lacks,
  pages,
  post,
  status,
} from './request.ts'
import { isSecret, user } from './setup-a.ts'

const hasRoles = (count: number): Assertion => ['res.body.roles', `length ${count}`]

/** Asserts the name and the team that a PATCH must not change. */
const KEPT: readonly Assertion[] = [
  status(200),
  equals('name', 'Ada Lovelace'),
  equals('team.id', '{{team_id}}'),
]

const patch = (
  name: string,
  json: object,
  assertions: readonly Assertion[],
  isExtension = false,
): CollectedRequest => ({
  name,
  method: 'PATCH',
  path: '/users/{{user_id}}',
  body: { json },
  assertions,
  isExtension,
})

/** Requests whose responses depend on earlier requests, by folder. */
export const flowsA: Readonly<Record<string, readonly CollectedRequest[]>> = {
  reading: [
    get('reads a team', '/teams/{{team_id}}', [
      status(200),
      equals('id', '{{team_id}}'),
      equals('name', 'team'),
    ]),
    get('reads a user', '/users/{{user_id}}', [status(200), equals('id', '{{user_id}}'), ...isSecret]),
    get('reads the team of a user', '/users/{{member_id}}', [status(200), equals('team.id', '{{team_id}}')]),
    get('lists teams', '/teams', [status(200), inOrder('team')]),
    get('lists roles', '/roles', [status(200), inOrder('role')]),
    get('lists users', '/users', [status(200), inOrder('user')]),
    get('lists the members of a team', '/users?team_id={{team_id}}', [
      ...[status(200), hasLength(1), equals('[0].id', '{{member_id}}'), equals('[0].team.id', '{{team_id}}')],
    ]),
    get('lists no member of an empty team', '/users?team_id={{other_team_id}}', [status(200), hasLength(0)]),
    get(
      'lists no member of an unknown team',
      `/users?team_id=${unknownId('team')}`,
      [status(200), hasLength(0)],
      true,
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
    ].map(([what = '', email], n) => ({
      ...post(`rejects a second user with ${what}`, '/users', fails(400, 'Email already registered'), {
        json: { ...user('Ada').json, email },
      }),
      ...(n > 0 && { isExtension: true }),
    })),
    post(
      'checks the address before the team',
      '/users',
      fails(400, 'Email already registered'),
      user('Ada', { team_id: '{{team_id}}' }),
    ),
    {
      ...post('rejects a second role with the same name', '/roles', fails(400, 'Role name already exists'), {
        json: { name: 'role-{{run}}' },
      }),
      isExtension: true,
    },
    post(
      'accepts a second team with the same name',
      '/teams',
      [status(201), ['res.body.id', 'neq {{team_id}}']],
      {
        json: { name: 'team' },
      },
    ),
  ],
  patch: [
    patch('sets the name', { name: 'Ada Lovelace' }, [equals('name', 'Ada Lovelace'), isNull('team')]),
    patch('sets the team', { team_id: '{{team_id}}' }, [
      equals('name', 'Ada Lovelace'),
      equals('team.id', '{{team_id}}'),
    ]),
    patch('keeps both without fields', {}, KEPT),
    patch('keeps a name that is null', { name: null }, KEPT),
    patch('keeps a name that is empty', { name: '' }, KEPT),
    patch('keeps a team that is null', { team_id: null }, KEPT),
    patch('keeps both when both are null', { name: null, team_id: null }, KEPT),
    patch('sets both', { name: 'Countess', team_id: '{{other_team_id}}' }, [
      equals('name', 'Countess'),
      equals('team.id', '{{other_team_id}}'),
    ]),
    patch('does not change the address', { email: 'other-{{run}}@example.com' }, [
      equals('email', 'Ada-{{run}}@example.com'),
    ]),
    patch(
      'changes nothing when the team is unknown',
      { name: 'Nobody', team_id: unknownId('team') },
      fails(404, 'Team not found'),
      true,
    ),
    get('keeps what was changed', '/users/{{user_id}}', [
      equals('name', 'Countess'),
      equals('team.id', '{{other_team_id}}'),
    ]),
    get('lists the user in its new team', '/users?team_id={{other_team_id}}', [
      status(200),
      hasLength(1),
      equals('[0].id', '{{user_id}}'),
    ]),
    get('no longer lists the user in its former team', '/users?team_id={{team_id}}', [
      status(200),
      hasLength(1),
      equals('[0].id', '{{member_id}}'),
    ]),
  ],
  roles: [
    post('assigns a role', '/users/{{user_id}}/roles/{{role_id}}', [
      status(200),
      equals('roles[0].id', '{{role_id}}'),
      hasRoles(1),
    ]),
    post('changes nothing when the user has the role', '/users/{{user_id}}/roles/{{role_id}}', [
      status(200),
      hasRoles(1),
    ]),
    post('assigns a second role', '/users/{{user_id}}/roles/{{other_role_id}}', [status(200), hasRoles(2)]),
    post('assigns the same role to a second user', '/users/{{member_id}}/roles/{{role_id}}', [
      status(200),
      hasRoles(1),
    ]),
    get('reads a user with its roles', '/users/{{user_id}}', [
      status(200),
      hasRoles(2),
      isId('roles[1].id', 'role'),
      ...isSecret,
    ]),
    get('lists a user with its roles', '/users?team_id={{other_team_id}}', [
      status(200),
      ['res.body[0].roles', 'length 2'],
    ]),
    post(
      'checks the user first',
      `/users/${unknownId('user')}/roles/${unknownId('role')}`,
      fails(404, 'User not found'),
    ),
    post(
      'checks the role of a known user',
      `/users/{{user_id}}/roles/${unknownId('role')}`,
      fails(404, 'Role not found'),
    ),
    post('rejects a role in place of the user', '/users/{{role_id}}/roles/{{user_id}}', [
      status(422),
      equals('detail[0].loc[1]', 'user_id'),
    ]),
  ],
  deletion: [
    del('deletes a user with roles', '/users/{{user_id}}', [status(204), ['res.body', 'isEmpty']]),
    del('does not find a deleted user', '/users/{{user_id}}', fails(404, 'User not found')),
    get('does not read a deleted user', '/users/{{user_id}}', fails(404, 'User not found')),
    patch('does not change a deleted user', { name: 'x' }, fails(404, 'User not found')),
    post(
      'assigns no role to a deleted user',
      '/users/{{user_id}}/roles/{{role_id}}',
      fails(404, 'User not found'),
    ),
    get('does not list a deleted user', '/users?team_id={{other_team_id}}', [status(200), hasLength(0)]),
    get('keeps the roles of other users', '/users/{{member_id}}', [status(200), hasRoles(1)]),
    {
      ...post(
        'accepts the address of a deleted user',
        '/users',
        [status(201), isEmpty('roles')],
        user('Ada'),
      ),
      sets: { new_user_id: 'res.body.id' },
    },
    get('lists all other users', '/users', [
      status(200),
      inOrder('member'),
      inOrder('new_user'),
      lacks('user'),
    ]),
  ],
}
