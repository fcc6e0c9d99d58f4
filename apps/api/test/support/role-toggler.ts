import { isMainThread, workerData } from 'node:worker_threads'
import type { RoleId, UserId } from '../../src/ids.ts'
import { openDatabase } from '../../src/open-database.ts'
import { PROFILES } from '../../src/profiles.ts'
import { databaseAt } from './database.ts'

export interface Toggling {
  readonly url: string
  readonly user: UserId
  readonly role: RoleId
}

/** The names of the user while it has the role and while it has not. */
export const WITH_ROLE = 'with a role'
export const WITHOUT_ROLE = 'without a role'

/** Assigns the role to the user and removes it, and renames the user in the same transaction, until it is terminated. */
async function toggle({ url, user, role }: Toggling) {
  const { db } = await openDatabase(databaseAt(url), PROFILES.a.migrations)
  for (;;) {
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ name: WITH_ROLE }).where('id', '=', user).execute()
      await tx.insertInto('user_roles').values({ user_id: user, role_id: role }).execute()
    })
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ name: WITHOUT_ROLE }).where('id', '=', user).execute()
      await tx.deleteFrom('user_roles').where('user_id', '=', user).execute()
    })
  }
}

if (!isMainThread && workerData?.role !== undefined) await toggle(workerData)
