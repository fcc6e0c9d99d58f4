/**
 * Writes a collection of requests for each profile beside this file, in the format of Bruno:
 * `pnpm --filter api collection`. A test fails when a file differs.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { PROFILES } from '../src/config/variables.ts'
import { collectionFiles, collectionFolder } from './collections.ts'

for (const name of Object.keys(PROFILES) as (keyof typeof PROFILES)[]) {
  await rm(collectionFolder(name), { recursive: true, force: true })
  for (const [path, text] of await collectionFiles(name)) {
    const file = new URL(encodeURI(path), collectionFolder(name))
    await mkdir(new URL('./', file), { recursive: true })
    await writeFile(file, text)
  }
}
