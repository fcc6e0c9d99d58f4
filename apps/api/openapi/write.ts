/**
 * Writes the documents that the service serves at /openapi.json beside this file, so that a change of the API shows
 * in its review: `pnpm --filter api openapi`.
 */
import { writeFile } from 'node:fs/promises'
import { PROFILES } from '../src/profiles.ts'
import { documentFile, servedDocument } from './documents.ts'

for (const name of Object.keys(PROFILES) as (keyof typeof PROFILES)[]) {
  await writeFile(documentFile(name), await servedDocument(name))
}
