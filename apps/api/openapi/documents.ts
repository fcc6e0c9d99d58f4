import { writeFileSync } from 'node:fs'
import { createApp, PROFILES } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/database/open.ts'
import { createLog } from '../src/observability/log.ts'
import { updatePages } from './tables.ts'

type Name = keyof typeof PROFILES

export const documentFile = (name: Name): URL =>
  new URL(`./profile-${name}.json`, import.meta.url)

export async function servedDocument(name: Name): Promise<string> {
  const profile = PROFILES[name]
  const config = readConfig({ DATABASE_URL: 'sqlite::memory:' }, '/')
  const database = await openDatabase(config.database, profile.migrations)
  const app = createApp({ profile, database, log: createLog('silent') })
  const response = await app.request('http://127.0.0.1:3000/openapi.json')
  await database.close()
  return response.text()
}

if (import.meta.main) {
  for (const name of Object.keys(PROFILES) as Name[])
    writeFileSync(documentFile(name), await servedDocument(name))
  const document = JSON.parse(await servedDocument('a'))
  for (const { page, updated } of await updatePages(document))
    writeFileSync(page, updated)
}
