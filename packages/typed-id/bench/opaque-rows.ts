import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { Contender } from './harness.ts'

const built = (file: string) => new URL(`../dist/${file}`, import.meta.url).href
const { defineId } = (await import(built('index.js'))) as typeof import('../src/index.ts')
const { opaqueIds } = (await import(built('opaque.js'))) as typeof import('../src/opaque.ts')

const KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const OTHER = '00112233445566778899aabbccddeeff'
const bytes = Buffer.from(KEY, 'hex')
const cipher = createCipheriv('aes-128-ecb', bytes, null)
const decipher = createDecipheriv('aes-128-ecb', bytes, null).setAutoPadding(false)

const rowsFor = (name: string, keys: readonly string[]) => {
  // Several types, as in rows.ts.
  const [userIds, ...others] = ['user', 'team', 'role', 'order'].map((prefix) =>
    opaqueIds(defineId(prefix), { keys }),
  ) as [ReturnType<typeof opaqueIds<string>>, ...ReturnType<typeof opaqueIds<string>>[]]
  for (const { type, toOpaque, fromOpaque } of others) type.generateMany(1000).map(toOpaque).map(fromOpaque)
  const ids = userIds.type.generateMany(4096)
  const row = (operation: string, run: Contender['run'], inputs: readonly string[], aes: typeof cipher) => ({
    operation: `${operation}, ${name}`,
    ours: { name: operation, inputs: structuredClone(inputs), run },
    peers: [
      {
        name: 'AES-128, node:crypto',
        inputs: inputs.map((id) => id.slice(5).replaceAll('-', '')),
        run: (digits: string) => aes.update(digits, 'hex', 'hex'),
      },
    ],
  })
  return [
    row('toOpaque', userIds.toOpaque, ids, cipher),
    row('fromOpaque', userIds.fromOpaque, ids.map(userIds.toOpaque), decipher),
  ]
}

/** The conversions of opaque ids. The peer encrypts 16 bytes without the prefix, the hyphens, version and variant. */
export const opaqueRows = [
  ...rowsFor('numbered key', [`1:${KEY}`, `0:${OTHER}`]),
  ...rowsFor('UUIDv47', [KEY]),
]
