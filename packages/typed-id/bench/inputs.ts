/* What the rows of the table are given: ids as an application has them, good and bad. */

// What is measured is the package as it is published: run `pnpm build` first.
const built = (file: string) => new URL(`../dist/${file}`, import.meta.url).href
const { defineId } = (await import(built('index.js'))) as typeof import('../src/index.ts')
export const { idSchema } = (await import(built('zod.js'))) as typeof import('../src/zod.ts')

// Eight types, as an application has: with one alone V8 would take its prefix for a constant.
const types = ['user', 'team', 'role', 'order', 'product', 'session', 'token', 'audit'].map((prefix) =>
  defineId(prefix),
)
export const UserId = types[0] as (typeof types)[number]

/** Texts as they come out of a request: flat, and each on its own. */
const fresh = <T>(texts: T): T => JSON.parse(JSON.stringify(texts))
const COUNT = 4096 // with some hundred the processor learns the branches that a RegExp takes for each of them
export const ids = fresh(UserId.generateMany(COUNT))
export const shorts = fresh(ids.map(UserId.toShort))
export const uuids = fresh(ids.map(UserId.toUuid))
export const bytes = ids.map(UserId.toBytes)
export const pattern = new RegExp(UserId.pattern)

/** Eight ways for an id to be wrong. */
export const bad = fresh(
  ids.map((id, i) => {
    const other = types[((i >> 3) % 7) + 1] as typeof UserId
    const ways = [
      other.fromUuid(UserId.toUuid(id)),
      UserId.toShort(id),
      UserId.toUuid(id),
      id.toUpperCase(),
      id.slice(0, -1),
      `${id} `,
      `${id.slice(0, -1)}g`,
      'undefined',
    ]
    return ways[i % ways.length] as string
  }),
)

/** The same eight for a short id, and overflow. */
export const badShorts = fresh(
  shorts.map((short, i) => {
    const other = types[((i >> 3) % 7) + 1] as typeof UserId
    const ways = [
      short.replace('user', other.prefix),
      short.replace('_0', '_8'),
      short.slice(5),
      short.toUpperCase(),
      short.slice(0, -1),
      `${short} `,
      `${short.slice(0, -1)}u`,
      'undefined',
    ]
    return ways[i % ways.length] as string
  }),
)

// An application sees good and bad values of every type; so does the compiler here.
for (const type of types) {
  for (const text of [...ids, ...bad, ...shorts, ...badShorts]) {
    type.is(text)
    type.safeParse(text)
    type.safeParseAny(text)
    type.isAny(text)
  }
  for (const id of type.generateMany(COUNT))
    type.timestamp(type.fromBytes(type.toBytes(type.fromShort(type.toShort(id)))))
}

export const fiveIds = ids.map((_, i) => {
  const at = (n: number) => ids[(i + n) % COUNT]
  return { a: at(0), b: at(1), c: at(2), d: at(3), e: at(4) }
})
