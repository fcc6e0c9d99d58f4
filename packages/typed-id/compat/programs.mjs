/*
 * Programs that use a subpath with its peer, and the same programs with code
 * that an application would write by hand. The compat run bundles them, and
 * compares how many bytes a browser downloads.
 */
import { gzipSync } from 'node:zlib'

/**
 * The maximum difference in bytes. A handwritten brand adds 2 kB to most
 * bundles, but nothing to Turbopack's chunk of zod.
 */
const limitOf = (bundler) => (bundler === 'Turbopack' ? 3700 : 3100)

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const DEFINE =
  "import { defineId } from 'typed-id'; const UserId = defineId('user')\n"
const KYSELY = `${DEFINE}
  import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
  const dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
`
const DRIZZLE = `${DEFINE}import { customType, sqliteTable } from 'drizzle-orm/sqlite-core'\n`

/**
 * Two programs for each subpath: the first uses the subpath, and the second has
 * handwritten code for the same task. The second imports `typed-id` itself,
 * except for zod.
 */
const PROGRAMS = {
  zod: {
    typed: `${DEFINE}import { idSchema } from 'typed-id/zod'
      globalThis.result = (input) => idSchema(UserId).parse(input)`,
    byHand: `import * as z from 'zod'
      globalThis.result = (input) => z.string().regex(/^user-${UUID}$/).brand('UserId').parse(input)`,
  },
  kysely: {
    typed: `${KYSELY}import { idPlugin } from 'typed-id/kysely'
      globalThis.result = new Kysely({ dialect, plugins: [idPlugin('uuid', { users: { id: UserId } })] })`,
    byHand: `${KYSELY}globalThis.result = [new Kysely({ dialect }), UserId]`,
  },
  drizzle: {
    typed: `${DRIZZLE}import { idColumn } from 'typed-id/drizzle'
      globalThis.result = sqliteTable('users', { id: idColumn(customType, UserId, 'uuid')() })`,
    byHand: `${DRIZZLE}
      const id = customType({ dataType: () => 'text', toDriver: UserId.toUuid, fromDriver: UserId.fromUuid })
      globalThis.result = sqliteTable('users', { id: id() })`,
  },
  prisma: {
    typed: `${DEFINE}import { idExtension } from 'typed-id/prisma'
      globalThis.result = (client) => client.$extends(idExtension([], 'uuid', { User: { id: UserId } }))`,
    byHand: `${DEFINE}globalThis.result = (client) => [client, UserId]`,
  },
  codec: {
    typed: `${DEFINE}import { idCodec } from 'typed-id/codec'
      globalThis.result = idCodec(UserId, 'uuid', 'users.id')`,
    byHand: `${DEFINE}globalThis.result = { toDatabase: UserId.toUuid, fromDatabase: UserId.fromUuid }`,
  },
}

export const FILES = Object.fromEntries(
  Object.entries(PROGRAMS).flatMap(([subpath, { typed, byHand }]) => [
    [`${subpath}-typed`, typed],
    [`${subpath}-by-hand`, byHand],
  ]),
)

export const sizeOf = (code) => gzipSync(code, { level: 9 }).length

/**
 * Returns a row for each subpath, and a message for each subpath above its
 * limit.
 */
export function compareSizes(bundler, sizes) {
  const rows = Object.keys(PROGRAMS).map((subpath) => {
    const [typed, byHand] = [
      sizes[`${subpath}-typed`],
      sizes[`${subpath}-by-hand`],
    ]
    return { bundler, subpath, typed, byHand }
  })
  const failed = rows.flatMap(({ subpath, typed, byHand }) => {
    const text = `${subpath} by ${bundler}: ${typed} bytes, by hand ${byHand}, expected at most ${limitOf(bundler)} more`
    return typed - byHand <= limitOf(bundler) ? [] : [text]
  })
  return { passed: rows.length - failed.length, failed, rows }
}
