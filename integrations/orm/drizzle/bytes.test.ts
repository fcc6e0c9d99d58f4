import { createClient } from '@libsql/client'
import { eq } from 'drizzle-orm'
import { drizzle as drizzleD1 } from 'drizzle-orm/d1'
import { drizzle as drizzleLibsql } from 'drizzle-orm/libsql'
import { customType, sqliteTable } from 'drizzle-orm/sqlite-core'
import { Miniflare } from 'miniflare'
import { idCodec } from 'typed-id/codec'
import { idColumn } from 'typed-id/drizzle'
import { expect, onTestFinished, test } from 'vitest'
import { UserId } from '../../ids.ts'

const users = sqliteTable('users', {
  id: idColumn(customType, UserId, 'bytes')('id').primaryKey(),
})

async function openLibsql() {
  const client = createClient({ url: ':memory:' })
  onTestFinished(() => client.close())
  return drizzleLibsql(client)
}

async function openD1() {
  const worker = new Miniflare({
    modules: true,
    script: '',
    d1Databases: ['DB'],
  })
  onTestFinished(() => worker.dispose())
  return drizzleD1((await worker.getD1Database('DB')) as never)
}

test.each([
  ['libSQL', openLibsql, 'ArrayBuffer'],
  ['D1', openD1, 'Array'],
])('%s: ids are written, found and read as bytes', async (_, open, form) => {
  const db = (await open()) as Awaited<ReturnType<typeof openLibsql>>
  await db.run('create table users (id blob primary key)')
  const ids = UserId.generateMany(3)
  const stored = ids.map((id) => ({ id }))
  await db.insert(users).values(stored)
  expect(await db.select().from(users)).toEqual(stored)
  const found = db
    .select()
    .from(users)
    .where(eq(users.id, ids[1] as UserId))
  expect(await found).toEqual([stored[1]])
  const rows = await db.all<{ id: object }>('select id from users')
  expect(rows.map((row) => row.id.constructor.name)).toContain(form)
  const { fromDatabase } = idCodec(UserId, 'bytes', 'users.id')
  expect(rows.map((row) => fromDatabase(row.id))).toEqual(ids)
})
