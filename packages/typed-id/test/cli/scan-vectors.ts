/* Test vectors for `typed-id scan`, which does not report UUIDs without a prefix. */
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const SUFFIX = '01j0b3v1mmeedtx9cpdgkfhbch'
const STANDARD = `user-${UUID}`
const SHORT = `user_${SUFFIX}`

interface Found {
  readonly form: 'standard' | 'short' | 'uuid'
  /** The prefix of the id, or '' for a UUID. */
  readonly type: string
  readonly text: string
  /** The id, or the id that a look-alike stands for. */
  readonly id: string
}

type Part = string | Uint8Array | Found
type Parts = readonly [why: string, ...parts: Part[]]

const standard = (text: string, id = text): Found => ({
  form: 'standard',
  type: id.slice(0, -`-${UUID}`.length),
  text,
  id,
})
const short = (text: string, id = text): Found => ({
  form: 'short',
  type: id.slice(0, -`_${SUFFIX}`.length),
  text,
  id,
})
const uuid = (text = UUID): Found => ({
  form: 'uuid',
  type: '',
  text,
  id: text,
})
/** Returns a vector with a look-alike beside an id. */
const like = (why: string, found: Found): Parts => [
  why,
  '(',
  found,
  ') ',
  standard(STANDARD),
]

const LONGEST_TYPEID_PREFIX = `a${'_'.repeat(61)}b`

const VECTORS: readonly Parts[] = [
  ['an id alone', standard(STANDARD)],
  ['a short id alone', short(SHORT)],
  [
    'one id in both forms',
    short(SHORT),
    ' ',
    standard(STANDARD),
    '\n',
    short(SHORT),
  ],
  ['an id in JSON', '{"id":"', standard(STANDARD), '"}'],
  [
    'an id after an escaped line break in JSON',
    '{"message":"failed\\n',
    standard(STANDARD),
    '\\tagain"}',
  ],
  [
    'an id after an escaped code unit',
    '{"message":"\\u0022',
    standard(STANDARD),
    '"}',
  ],
  [
    'an id after an escaped backslash',
    'C:\\\\',
    standard(STANDARD),
    '\\\\file',
  ],
  [
    'an id in an encoded URL',
    '/next=%2Fusers%2F',
    standard(STANDARD),
    '%2Froles',
  ],
  ['an id in a coloured log', '\x1b[1;32m', standard(STANDARD), '\x1b[0m'],
  ['an id in SQL', "insert into users values ('", standard(STANDARD), "');"],
  [
    'an id between characters that are not ASCII',
    '»',
    standard(STANDARD),
    '«用户',
  ],
  [
    'an id between bytes that are not UTF-8',
    Uint8Array.of(255),
    standard(STANDARD),
    Uint8Array.of(254),
  ],
  ['an id in the name of a file', 'avatars/', standard(STANDARD), '.png'],
  ...['用户', 'ユーザー', '»', '👩'].map(
    (word): Parts => [
      `an id next to ${word}, after which no space is needed`,
      word,
      standard(STANDARD),
      word,
    ],
  ),
  [
    'an id with a prefix of 63 characters',
    standard(`${'a'.repeat(63)}-${UUID}`),
  ],

  ['a TypeID whose prefix has _', short(`order_line_${SUFFIX}`)],
  [
    'a TypeID whose prefix has _, in JSON',
    '"\\n',
    short(`order_line_${SUFFIX}`),
    '"',
  ],
  [
    'a TypeID whose prefix has _, in an encoded URL',
    '%2F',
    short(`order_line_${SUFFIX}`),
  ],
  [
    'a TypeID whose prefix has _, in a coloured log',
    '\x1b[1m',
    short(`order_line_${SUFFIX}`),
  ],
  [
    'a TypeID with a prefix of 63 characters',
    short(`${LONGEST_TYPEID_PREFIX}_${SUFFIX}`),
  ],

  [
    'no id in a longer word',
    `my-${STANDARD} My_${SHORT} ${STANDARD}-64.png ${SHORT}_old ${STANDARD}a`,
  ],
  [
    'no id next to a letter',
    `é${STANDARD} ${STANDARD}ß ж${SHORT} ${SHORT}é ${SHORT}\u0301`,
  ],
  [
    'no id after a prefix with _ that no TypeID has',
    `_a_${SUFFIX} Order_line_${SUFFIX} a1_b_${SUFFIX}`,
  ],
  ['no standard id after a prefix with _', `order_line-${UUID}`],
  [
    'no id in upper case after a prefix with _',
    `MY_USER_${SUFFIX.toUpperCase()}`,
  ],
  [
    'no TypeID after a prefix of 64 characters',
    `a${LONGEST_TYPEID_PREFIX}_${SUFFIX}`,
  ],
  [
    'no id after a prefix of 64 characters',
    `${'a'.repeat(64)}-${UUID} ${'a'.repeat(200)}_${SUFFIX}`,
  ],
  ['no id without a prefix', `-${UUID} _${SUFFIX} ${UUID}-${UUID}`],
  ['no id of more than 128 bits', `user_8${SUFFIX.slice(1)}`],
  [
    'no id in a name of 26 letters',
    'get_internationalizationtaxes io_oliverandothersinthenation',
  ],

  like('an id in upper case', standard(STANDARD.toUpperCase(), STANDARD)),
  like(
    'an id with encoded hyphens',
    standard(STANDARD.replaceAll('-', '%2D'), STANDARD),
  ),
  ...['\u2010', '\u2011', '\u2013', '\u2212'].map((dash) =>
    like(
      `an id with ${dash} instead of hyphens`,
      standard(STANDARD.replaceAll('-', dash), STANDARD),
    ),
  ),
  like(
    'an id with look-alike letters',
    standard(STANDARD.replaceAll('0', 'O').replaceAll('1', 'l'), STANDARD),
  ),
  like(
    'a UUID in upper case',
    standard(`User-${UUID.toUpperCase()}`, `User-${UUID}`),
  ),
  like(
    'a short id with an encoded underscore',
    short(SHORT.replace('_', '%5f'), SHORT),
  ),
  like('a short id in upper case', short(SHORT.toUpperCase(), SHORT)),
  like('a suffix in upper case', short(`user_${SUFFIX.toUpperCase()}`, SHORT)),
  like(
    'a suffix with look-alike letters',
    short('user_Olj0b3vImmeedtx9cpdgkfhbch', SHORT),
  ),

  ['a UUID alone', uuid()],
  ['a UUID in upper case', '"', uuid(UUID.toUpperCase()), '"'],
  ['a UUID between ids', short(SHORT), ' ', uuid(), ' ', standard(STANDARD)],
  [
    'a UUID after an escaped line break in JSON',
    '"failed\\n',
    uuid(),
    '\\tagain"',
  ],
  ['a UUID after an escaped code unit', '"\\u0022', uuid(), '"'],
  ['a UUID after an escaped backslash', 'C:\\\\', uuid(), '\\\\file'],
  ['a UUID in an encoded URL', '%2F', uuid(), '%2F'],
  ['a UUID in a coloured log', '\x1b[1;32m', uuid(), '\x1b[0m'],
  [
    'a UUID next to 用户, after which no space is needed',
    '用户',
    uuid(),
    '用户',
  ],
  ['no UUID in a longer word', `a${UUID} ${UUID}a ${UUID}-1 _${UUID}`],
  ['no UUID next to a letter', `é${UUID} ${UUID}ß`],
]

export interface ScanVector {
  readonly why: string
  readonly bytes: Buffer
  /** The expected findings. `at` is the position in bytes. */
  readonly found: readonly (Found & { readonly at: number })[]
}

export const SCAN_VECTORS: readonly ScanVector[] = VECTORS.map(
  ([why, ...parts]) => {
    const pieces = parts.map((part) =>
      Buffer.from(isFound(part) ? part.text : part),
    )
    const found = parts.flatMap((part, i) =>
      isFound(part)
        ? [{ ...part, at: Buffer.concat(pieces.slice(0, i)).length }]
        : [],
    )
    return { why, bytes: Buffer.concat(pieces), found }
  },
)

function isFound(part: Part): part is Found {
  return typeof part === 'object' && 'id' in part
}
