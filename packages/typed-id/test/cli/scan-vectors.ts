/*
 * Test vectors for `typed-id scan`. Angle brackets mark what the command must
 * find, and are not part of the input: `<id>` is an id, `<text|id>` a
 * look-alike and the id that it stands for.
 */
import type { Occurrence } from '../../src/cli/find-ids.ts'

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const SUFFIX = '01j0b3v1mmeedtx9cpdgkfhbch'
const STANDARD = `user-${UUID}`
const SHORT = `user_${SUFFIX}`
const ID = `<${STANDARD}>`
const LINE_ID = `<order_line_${SUFFIX}>`
const LONGEST_ID = `${'a'.repeat(63)}-${UUID}`
const LONGEST_TYPEID_PREFIX = `a${'_'.repeat(61)}b`

type Vector = readonly [why: string, text: string, encoding?: BufferEncoding]

const like = (why: string, text: string, id = STANDARD): Vector => [
  why,
  `(<${text}|${id}>) ${ID}`,
]

const VECTORS: readonly Vector[] = [
  ['an id alone', ID],
  ['a short id alone', `<${SHORT}>`],
  ['one id in both forms', `<${SHORT}> ${ID}\n<${SHORT}>`],
  ['an id in JSON', `{"id":"${ID}"}`],
  ['an id after an escaped line break', `"failed\\n${ID}\\tagain"`],
  ['an id after an escaped code unit', `"\\u0022${ID}"`],
  ['an id after an escaped backslash', `C:\\\\${ID}\\\\file`],
  ['an id in an encoded URL', `/next=%2Fusers%2F${ID}%2Froles`],
  ['an id in a coloured log', `\x1b[1;32m${ID}\x1b[0m`],
  ['an id in SQL', `insert into users values ('${ID}');`],
  ['an id between characters that are not ASCII', `»${ID}«用户`],
  ['an id between bytes that are not UTF-8', `\xff${ID}\xfe`, 'latin1'],
  ['an id in the name of a file', `avatars/${ID}.png`],
  ...['用户', 'ユーザー', '»', '👩'].map(
    (word): Vector => [
      `an id next to ${word}, after which no space is needed`,
      word + ID + word,
    ],
  ),
  [
    'an id with a prefix of 63 characters in a coloured log',
    `<${LONGEST_ID}> \x1b[38;2;255;255;255m<${LONGEST_ID}>`,
  ],

  ['a TypeID whose prefix has _', LINE_ID],
  ['a TypeID whose prefix has _, in JSON', `"\\n${LINE_ID}"`],
  ['a TypeID whose prefix has _, in an encoded URL', `%2F${LINE_ID}`],
  ['a TypeID whose prefix has _, in a coloured log', `\x1b[1m${LINE_ID}`],
  ['a TypeID with the longest prefix', `<${LONGEST_TYPEID_PREFIX}_${SUFFIX}>`],

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
    'no id after a prefix of 64 characters',
    `${'a'.repeat(64)}-${UUID} ${'a'.repeat(200)}_${SUFFIX} a${LONGEST_TYPEID_PREFIX}_${SUFFIX}`,
  ],
  ['no id without a prefix', `-${UUID} _${SUFFIX} ${UUID}-${UUID}`],
  ['no id in a UUID', `${UUID} %2F${UUID}%2F "${UUID.toUpperCase()}"`],
  ['no id of more than 128 bits', `user_8${SUFFIX.slice(1)}`],
  [
    'no id in a name of 26 letters',
    'get_internationalizationtaxes io_oliverandothersinthenation',
  ],

  like('an id in upper case', STANDARD.toUpperCase()),
  like('an id with encoded hyphens', STANDARD.replaceAll('-', '%2D')),
  ...['\u2010', '\u2011', '\u2013', '\u2212'].map((dash) =>
    like(
      `an id with ${dash} instead of hyphens`,
      STANDARD.replaceAll('-', dash),
    ),
  ),
  like(
    'an id with look-alike letters',
    STANDARD.replaceAll('0', 'O').replaceAll('1', 'l'),
  ),
  like('a UUID in upper case', `User-${UUID.toUpperCase()}`, `User-${UUID}`),
  like('an encoded underscore', SHORT.replace('_', '%5f'), SHORT),
  like('a short id in upper case', SHORT.toUpperCase(), SHORT),
  like('a suffix in upper case', `user_${SUFFIX.toUpperCase()}`, SHORT),
  like('look-alikes in a suffix', 'user_Olj0b3vImmeedtx9cpdgkfhbch', SHORT),
]

export const SCAN_VECTORS = VECTORS.map(([why, marked, encoding = 'utf8']) => {
  // After the split, the marked texts are at the odd indices.
  const parts = marked.split(/[<>]/).map((part) => part.split('|'))
  const bytes = parts.map(([text = '']) => Buffer.from(text, encoding))
  const found = parts.flatMap(([text = '', id = text], i): Occurrence[] => {
    const form = id.endsWith(UUID) ? 'standard' : 'short'
    const prefix = id.slice(0, form === 'standard' ? -37 : -27)
    const index = Buffer.concat(bytes.slice(0, i)).length
    const latin1 = Buffer.from(text).toString('latin1')
    return i % 2 ? [{ prefix, form, text: latin1, id, index }] : []
  })
  return { why, bytes: Buffer.concat(bytes), found }
})
