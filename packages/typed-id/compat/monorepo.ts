/*
 * A monorepo whose packages resolve modules in different ways and export types
 * that TypeScript infers from other packages. No package re-exports the Drizzle
 * tables of the package `store`: the build would fail with TS2742 or TS2883,
 * because Drizzle has separate declaration files for ESM and CommonJS.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NODENEXT = { module: 'nodenext', moduleResolution: 'nodenext' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }
const CHECKED = { skipLibCheck: false, skipDefaultLibCheck: true }

interface Package {
  readonly type?: 'commonjs'
  readonly options: Readonly<Record<string, unknown>>
  readonly references?: readonly string[]
  readonly code: string
}

/**
 * Returns code whose inferred types contain the brand of an id instead of the
 * alias `TypedId`. TypeScript cannot write the declarations of such code
 * (TS4023) if no subpath of typed-id exports the brand.
 */
const loseAlias = (name: string, type: string, id = `${type}.example`) => `
  const ${name}Id = () => ${id}
  export const ${name}Last = () => [${name}Id()].at(-1)!
  export const ${name}Mapped = () => nullable({ id: ${name}Id() })
  export const ${name}Value = () => ${name}Id().valueOf()
  export const ${name}Router = t.router({
    get: t.procedure.query(() => ({ id: ${name}Id(), ...nullable({ all: [${name}Id()!] }) })),
  })
  export const ${name}Table = pgTable('${name}', { id: idColumn(customType, ${type})().primaryKey() })
  export const ${name}List = (db: PgDatabase<never>) => db.select().from(${name}Table)`

const PACKAGES: Readonly<Record<string, Package>> = {
  legacy: {
    type: 'commonjs',
    options: { ...NODENEXT, ...CHECKED },
    code: `
      import { defineId, type IdOf } from 'typed-id'
      import { idSchema } from 'typed-id/zod'
      import { idPlugin } from 'typed-id/kysely'
      import { heyApi } from 'typed-id/openapi'
      export const client = heyApi({ version: '1.0.0' })
      export const OrderId = defineId('order')
      export type OrderId = IdOf<typeof OrderId>
      export const orderSchema = idSchema(OrderId)
      export const plugin = idPlugin('uuid', { orders: { id: OrderId } })
      export const newOrder = () => ({ id: OrderId.generate() })`,
  },
  annotated: {
    options: { ...BUNDLER, ...CHECKED, isolatedDeclarations: true },
    code: `
      import { defineId, type IdOf, type IdType, idRegistry, type TypedIdError, uuidv4 } from 'typed-id'
      import { idCodec } from 'typed-id/codec'
      import { idColumn } from 'typed-id/drizzle'
      import { type IdColumn, idPlugin } from 'typed-id/kysely'
      import { heyApi } from 'typed-id/openapi'
      import { type OpaqueIds, opaqueIds } from 'typed-id/opaque'
      import { idExtension } from 'typed-id/prisma'
      import { countingUuids } from 'typed-id/testing'
      import { defineTypeId, fromTypeId, type TypeIdType } from 'typed-id/typeid'
      import { eitherFormSchema, type IdSchema, idSchema } from 'typed-id/zod'
      export const UserId: IdType<'user'> = defineId('user', { uuid: Math.random() < 0.5 ? uuidv4 : countingUuids() })
      export type UserId = IdOf<typeof UserId>
      export const LineId: TypeIdType<'order_line'> = defineTypeId('order_line')
      export const user: UserId = fromTypeId(UserId, UserId.toShort(UserId.example))
      export const userSchema: IdSchema<UserId> = idSchema(UserId)
      export const eitherSchema: IdSchema<UserId, string> = eitherFormSchema(UserId)
      export const userIds: OpaqueIds<typeof UserId> = opaqueIds(UserId, { keys: [] })
      export const stored: string = idCodec(UserId, 'uuid', 'users.id').toDatabase(UserId.example)
      export interface Users { id: IdColumn<typeof UserId> }
      export const others: unknown[] = [idColumn, idPlugin('uuid', { users: { id: UserId } }), idExtension([], 'uuid', {}), heyApi]
      export function read(input: unknown): UserId | undefined {
        if (UserId.is(input)) return input
        const result = UserId.safeParseEitherForm(input)
        if (result.success) return result.data
        const error: TypedIdError = result.error
        return error.code === 'wrong_type' ? undefined : UserId.example
      }
      const TeamId = defineId('team')
      const found = idRegistry([UserId, TeamId]).parse('user-0190163d-8694-739b-aea5-966c26f8ad91')
      if (found.type === 'user') UserId.toUuid(found.id)
      // @ts-expect-error an id of another type
      UserId.toUuid(TeamId.example)
      // @ts-expect-error a plain string
      UserId.toUuid('user-0190163d-8694-739b-aea5-966c26f8ad91')
      // @ts-expect-error a prefix with a hyphen
      defineId('no-hyphen')
      // @ts-expect-error a TypeID of another type
      LineId.toUuid(defineTypeId('user').example)`,
  },
  ids: {
    options: NODENEXT,
    references: ['legacy'],
    code: `
      import { OrderId, orderSchema } from '@acme/legacy'
      import { defineId, type IdOf, idRegistry } from 'typed-id'
      import { opaqueIds } from 'typed-id/opaque'
      import { defineTypeId } from 'typed-id/typeid'
      import { eitherFormSchema, idSchema, opaqueIdSchema, registrySchema, shortIdSchema, uuidOrIdSchema } from 'typed-id/zod'
      import * as z from 'zod'
      export const UserId = defineId('user')
      export type UserId = IdOf<typeof UserId>
      export const LineId = defineTypeId('order_line')
      export const ids = idRegistry([UserId, OrderId])
      export const userIds = opaqueIds(UserId, { keys: [] })
      export const isUser = UserId.is
      export const userSchema = idSchema(UserId)
      export const either = z.union([userSchema, orderSchema])
      export const body = z.object({
        a: userSchema, b: eitherFormSchema(UserId).optional(), c: z.array(uuidOrIdSchema(UserId)), d: shortIdSchema(UserId),
        e: opaqueIdSchema(userIds).nullable(), f: orderSchema, g: registrySchema(ids), h: idSchema(LineId),
      })
      export const read = (value: unknown) => ({ ...body.parse(value), user: UserId.safeParse(value), any: ids.parse(value) })`,
  },
  store: {
    options: NODENEXT,
    references: ['ids', 'legacy'],
    code: `
      import { UserId } from '@acme/ids'
      import { OrderId, plugin } from '@acme/legacy'
      import { idCodec } from 'typed-id/codec'
      import { idColumn } from 'typed-id/drizzle'
      import { type IdColumn, idCheck, idPlugin } from 'typed-id/kysely'
      import { idExtension } from 'typed-id/prisma'
      import { customType, pgTable } from 'drizzle-orm/pg-core'
      export interface Tables { users: { id: IdColumn<typeof UserId> } }
      export const userId = idColumn(customType, UserId, 'uuid')
      export const users = pgTable('users', { id: userId().primaryKey() })
      export const orders = pgTable('orders', { id: idColumn(customType, OrderId)().primaryKey() })
      export const plugins = [plugin, idPlugin('uuid', { users: { id: UserId }, orders: { id: OrderId } })]
      export const codec = idCodec(UserId, 'uuid', 'users.id')
      export const check = idCheck(UserId, 'id', 'postgres')
      export const extension = idExtension([], 'uuid', { User: { id: UserId } })`,
  },
  web: {
    options: BUNDLER,
    references: ['store', 'ids', 'legacy'],
    code: `
      import { body, ids, LineId, read, UserId } from '@acme/ids'
      import { newOrder } from '@acme/legacy'
      import { codec, plugins } from '@acme/store'
      import { initTRPC } from '@trpc/server'
      import { customType, type PgDatabase, pgTable } from 'drizzle-orm/pg-core'
      import { idColumn } from 'typed-id/drizzle'
      import { idPlugin } from 'typed-id/kysely'
      import { idSchema, registrySchema, shortIdSchema } from 'typed-id/zod'
      const t = initTRPC.create()
      const nullable = <T extends object>(value: T) => value as { [K in keyof T]: T[K] | null }
      ${loseAlias('user', 'UserId')}
      ${loseAlias('short', 'UserId', 'UserId.toShort(UserId.example)')}
      ${loseAlias('line', 'LineId')}
      ${loseAlias('any', 'ids', 'ids.parse(0).id')}
      export const inputs = t.router({
        a: t.procedure.input(idSchema(UserId)).query(({ input }) => [input]),
        b: t.procedure.input(shortIdSchema(UserId)).query(({ input }) => [input]),
        c: t.procedure.input(idSchema(LineId)).query(({ input }) => [input]),
        d: t.procedure.input(registrySchema(ids)).query(({ input }) => [input]),
      })
      export const row = () => ({ ...newOrder(), ...read(0), stored: codec.toDatabase(UserId.example) })
      export const form = body.extend({ order: body.shape.f })
      export const all = [...plugins, idPlugin('text', { lines: { id: LineId } })]`,
  },
}

const NODE10: Package = {
  type: 'commonjs',
  options: {
    ...{ module: 'commonjs', moduleResolution: 'node10' },
    esModuleInterop: true, // required by zod's declarations
  },
  code: `
    import { defineId } from 'typed-id'
    import { idSchema } from 'typed-id/zod'
    export const UserId = defineId('user')
    export const schema = idSchema(UserId)`,
}

export function writeMonorepo(consumer: string, version: string): string {
  const packages = version < '6' ? { ...PACKAGES, node10: NODE10 } : PACKAGES
  const root = join(consumer, 'monorepo')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(consumer, 'node_modules/@acme'), { recursive: true })
  for (const [name, one] of Object.entries(packages)) {
    const { type = 'module', options, references = [], code } = one
    const folder = join(root, name)
    const link = join(consumer, 'node_modules/@acme', name)
    mkdirSync(join(folder, 'src'), { recursive: true })
    rmSync(link, { force: true })
    symlinkSync(folder, link, 'junction')
    const exports = './dist/index.js'
    write(join(folder, 'package.json'), {
      name: `@acme/${name}`,
      type,
      exports,
    })
    writeFileSync(join(folder, 'src/index.ts'), code)
    write(join(folder, 'tsconfig.json'), {
      compilerOptions: {
        strict: true,
        composite: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        verbatimModuleSyntax: type === 'module',
        // The declarations of drizzle-orm import drivers that are not
        // installed.
        skipLibCheck: true,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        rootDir: 'src',
        outDir: 'dist',
        ...options,
      },
      include: ['src'],
      references: references.map((path) => ({ path: `../${path}` })),
    })
  }
  write(join(root, 'tsconfig.json'), {
    files: [],
    references: Object.keys(packages).map((path) => ({ path })),
  })
  return root
}

function write(file: string, json: object): void {
  writeFileSync(file, JSON.stringify(json))
}
