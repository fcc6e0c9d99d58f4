import { unknownId } from './general-requests.ts'
import {
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

/** JavaScript that computes the short form of `user_id`: the UUID in base 32 (TypeID 0.3). */
const SHORT_FORM = `let bits = BigInt("0x" + bru.getVar("user_id").slice(5).replaceAll("-", ""));
let text = "";
for (let n = 0; n < 26; n += 1) {
  text = "0123456789abcdefghjkmnpqrstvwxyz"[Number(bits & BigInt(31))] + text;
  bits >>= BigInt(5);
}
bru.setVar("short_user_id", "user_" + text);`

/** Creates the records that all later requests use. */
export const setupB: readonly CollectedRequest[] = [
  {
    ...post(
      'creates a team',
      '/teams',
      [status(200), isId('id', 'team'), equals('name', 'team'), isEmpty('member_ids')],
      { json: { name: 'team' } },
    ),
    sets: { team_id: 'res.body.id' },
  },
  {
    ...post(
      'creates a user without a team',
      '/users',
      [status(200), isId('id', 'user'), equals('name', 'Ada'), isNull('team_id')],
      { json: { name: 'Ada', email: 'ada@example.com' } },
    ),
    sets: { user_id: 'res.body.id' },
  },
  {
    ...post('creates a user with a team', '/users', [status(200), equals('team_id', '{{team_id}}')], {
      json: { name: 'Grace', email: 'grace@example.com', team_id: '{{team_id}}' },
    }),
    sets: { member_id: 'res.body.id' },
  },
  {
    ...post(
      'creates an order',
      '/orders',
      [
        status(200),
        isId('order_id', 'order'),
        equals('user_id', '{{user_id}}'),
        equals('product_id', unknownId('product')),
      ],
      { json: { user_id: '{{user_id}}', product_id: unknownId('product'), quantity: 2 } },
    ),
    sets: { product_id: 'res.body.product_id', order_id: 'res.body.order_id' },
  },
  post('gives each order another id', '/orders', [status(200), ['res.body.order_id', 'neq {{order_id}}']], {
    json: { user_id: '{{user_id}}', product_id: unknownId('product'), quantity: 2 },
  }),
]

const lookup = '/users/lookup'

/** Requests whose responses depend on earlier requests, by folder. */
export const flowsB: Readonly<Record<string, readonly CollectedRequest[]>> = {
  reading: [
    get('reads a team with its members', '/teams/{{team_id}}', [
      status(200),
      ['res.body.member_ids', 'length 1'],
      equals('member_ids[0]', '{{member_id}}'),
    ]),
    get('reads a user', '/users/{{user_id}}', [status(200), equals('id', '{{user_id}}'), isNull('team_id')]),
    get('lists users', '/users', [status(200), inOrder('user')]),
    get(
      'does not filter by team_id',
      `/users?team_id=${unknownId('team')}&limit=1`,
      [status(200), hasLength(1)],
      true,
    ),
    get('rejects a filter that is no id', '/users?team_id=x', fails(400, 'Invalid team ID'), true),
    get(
      'rejects a filter of another type',
      '/users?team_id={{user_id}}',
      fails(400, 'Expected team ID'),
      true,
    ),
    post('accepts a text that is no e-mail address', '/users', [status(200), equals('email', 'text')], {
      json: { name: 'x', email: 'text' },
    }),
    post('accepts an address twice', '/users', [status(200), equals('email', 'ada@example.com')], {
      json: { name: 'x', email: 'ada@example.com' },
    }),
    post(
      'orders for a user that does not exist',
      '/orders',
      [status(200), equals('user_id', unknownId('user'))],
      { json: { user_id: unknownId('user'), product_id: unknownId('product'), quantity: 1 } },
      true,
    ),
  ],
  paging: pages('/users', 'user', 'member'),
  lookup: [
    get('finds a user by the standard form', `${lookup}/{{user_id}}`, [
      status(200),
      equals('id', '{{user_id}}'),
    ]),
    {
      ...get(
        'finds a user by the short form',
        `${lookup}/{{short_user_id}}`,
        [status(200), equals('id', '{{user_id}}')],
        true,
      ),
      script: SHORT_FORM,
    },
    get('rejects a text', `${lookup}/not-an-id`, fails(400, 'Invalid user ID')),
    get(
      'rejects a UUID without a type',
      `${lookup}/0190163d-8694-739b-aea5-966c26f8ad91`,
      fails(400, 'Invalid user ID'),
    ),
    get('rejects an id of another type', `${lookup}/{{team_id}}`, fails(400, 'Expected user ID')),
    get(
      'rejects a short form of another type',
      `${lookup}/team_01j0b3v1mmeedtx9cpdgkfhbch`,
      fails(400, 'Expected user ID'),
      true,
    ),
    get('reports an unknown user', `${lookup}/${unknownId('user')}`, fails(404, 'User not found')),
  ],
  deletion: [
    del('deletes a user', '/users/{{member_id}}', [status(200), equals('deleted', 'true')]),
    del('does not find a deleted user', '/users/{{member_id}}', fails(404, 'User not found')),
    get('does not read a deleted user', '/users/{{member_id}}', fails(404, 'User not found')),
    get('does not look up a deleted user', `${lookup}/{{member_id}}`, fails(404, 'User not found')),
    get('does not list a deleted user', '/users', [status(200), inOrder('user'), lacks('member')]),
    get('removes a deleted user from its team', '/teams/{{team_id}}', [status(200), isEmpty('member_ids')]),
  ],
}
