import type { Kysely } from 'kysely'
import { expectTypeOf, test } from 'vitest'
import { defineId, type IdOf } from '../src/index.ts'
import type { IdColumn } from '../src/kysely.ts'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

declare const db: Kysely<{ users: { id: IdColumn<typeof UserId>; referrer: UserId | null } }>

test('an id column returns ids of its type, accepts no other value and cannot be updated', () => {
  const query = db.selectFrom('users').select('id')
  expectTypeOf(query.executeTakeFirstOrThrow).returns.resolves.toEqualTypeOf<{ id: UserId }>()
  // @ts-expect-error: a plain string is not an id
  db.insertInto('users').values({ id: 'user-1', referrer: null })
  // @ts-expect-error: an IdColumn cannot be updated
  db.updateTable('users').set({ id: UserId.generate() })
})
