import { unknownId } from './general-requests.ts'
import {
  type CollectedRequest,
  creating,
  del,
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
  post,
  returns,
  status,
} from './request.ts'

/** JavaScript that computes the short form of `user_id`: the UUID in base 32 (TypeID 0.3). */
const SHORT_FORM = `let bits = BigInt("0x" + bru.getVar("user_id").slice(5).replaceAll("-", ""));
let text = "";
for (let n = 0; n < 26; n += 1) {
  text = "0123456789abcdefghjkmnpqrstvwxyz"[Number(bits & BigInt(31))] + text;
  bits >>= BigInt(5);
}
bru.setVar("short_user_id", "user_" + text);`

const order = (user_id: string, quantity: number) => ({ user_id, product_id: unknownId('product'), quantity })

/** Creates the records that all later requests use. */
export const setupB: readonly CollectedRequest[] = [
  creating(
    'team',
    post(
      'creates a team',
      '/teams',
      returns(200, { name: 'team' }, isId('id', 'team'), isEmpty('member_ids')),
      {
        name: 'team',
      },
    ),
  ),
  creating(
    'user',
    post(
      'creates a user without a team',
      '/users',
      returns(200, { name: 'Ada' }, isId('id', 'user'), isNull('team_id')),
      { name: 'Ada', email: 'ada@example.com' },
    ),
  ),
  creating(
    'member',
    post('creates a user with a team', '/users', returns(200, { team_id: '{{team_id}}' }), {
      name: 'Grace',
      email: 'grace@example.com',
      team_id: '{{team_id}}',
    }),
  ),
  {
    ...post(
      'creates an order',
      '/orders',
      returns(200, { user_id: '{{user_id}}', product_id: unknownId('product') }, isId('order_id', 'order')),
      order('{{user_id}}', 2),
    ),
    sets: { product_id: 'res.body.product_id', order_id: 'res.body.order_id' },
  },
  post(
    'gives each order another id',
    '/orders',
    [status(200), ['res.body.order_id', 'neq {{order_id}}']],
    order('{{user_id}}', 2),
  ),
]

const lookup = '/users/lookup'
const FOUND = returns(200, { id: '{{user_id}}' })
const GONE = fails(404, 'User not found')

/** Requests whose responses depend on earlier requests, by folder. */
export const flowsB: Readonly<Record<string, readonly CollectedRequest[]>> = {
  reading: [
    get(
      'reads a team with its members',
      '/teams/{{team_id}}',
      returns(200, { 'member_ids[0]': '{{member_id}}' }, ['res.body.member_ids', 'length 1']),
    ),
    get('reads a user', '/users/{{user_id}}', [...FOUND, isNull('team_id')]),
    get('lists users', '/users', [status(200), inOrder('user')]),
    ...[
      get('does not filter by team_id', `/users?team_id=${unknownId('team')}&limit=1`, [
        status(200),
        hasLength(1),
      ]),
      get('rejects a filter that is no id', '/users?team_id=x', fails(400, 'Invalid team ID')),
      get('rejects a filter of another type', '/users?team_id={{user_id}}', fails(400, 'Expected team ID')),
    ].map(extension),
    post('accepts a text that is no e-mail address', '/users', returns(200, { email: 'text' }), {
      name: 'x',
      email: 'text',
    }),
    post('accepts an address twice', '/users', returns(200, { email: 'ada@example.com' }), {
      name: 'x',
      email: 'ada@example.com',
    }),
    extension(
      post(
        'orders for a user that does not exist',
        '/orders',
        returns(200, { user_id: unknownId('user') }),
        order(unknownId('user'), 1),
      ),
    ),
  ],
  paging: pages('/users', 'user', 'member'),
  lookup: [
    get('finds a user by the standard form', `${lookup}/{{user_id}}`, FOUND),
    extension({
      ...get('finds a user by the short form', `${lookup}/{{short_user_id}}`, FOUND),
      script: SHORT_FORM,
    }),
    get('rejects a text', `${lookup}/not-an-id`, fails(400, 'Invalid user ID')),
    get(
      'rejects a UUID without a type',
      `${lookup}/0190163d-8694-739b-aea5-966c26f8ad91`,
      fails(400, 'Invalid user ID'),
    ),
    get('rejects an id of another type', `${lookup}/{{team_id}}`, fails(400, 'Expected user ID')),
    extension(
      get(
        'rejects a short form of another type',
        `${lookup}/team_01j0b3v1mmeedtx9cpdgkfhbch`,
        fails(400, 'Expected user ID'),
      ),
    ),
    get('reports an unknown user', `${lookup}/${unknownId('user')}`, GONE),
  ],
  deletion: [
    del('deletes a user', '/users/{{member_id}}', returns(200, { deleted: 'true' })),
    del('does not find a deleted user', '/users/{{member_id}}', GONE),
    get('does not read a deleted user', '/users/{{member_id}}', GONE),
    get('does not look up a deleted user', `${lookup}/{{member_id}}`, GONE),
    get('does not list a deleted user', '/users', [status(200), inOrder('user'), lacks('member')]),
    get('removes a deleted user from its team', '/teams/{{team_id}}', [status(200), isEmpty('member_ids')]),
  ],
}
