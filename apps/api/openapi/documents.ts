import { createApp, PROFILES } from '../src/app.ts'
import { openDatabase } from '../src/database/connect.ts'
import { createLog } from '../src/log.ts'

type Name = keyof typeof PROFILES

export const documentFile = (name: Name): URL => new URL(`./profile-${name}.json`, import.meta.url)

/** The text that a profile serves at /openapi.json. */
export async function servedDocument(name: Name): Promise<string> {
  const profile = PROFILES[name]
  const db = await openDatabase({ url: 'sqlite::memory:' }, profile.migrations)
  const app = createApp({ profile, db, log: createLog('silent') })
  const response = await app.request('/openapi.json')
  await db.close()
  return response.text()
}
