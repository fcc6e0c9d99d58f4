import { mkdir, writeFile } from 'node:fs/promises'
import { generateTypes, PROFILES, typesFile } from './types.ts'

/** Writes the types of both profiles. Vitest calls it before the tests. */
export async function setup(): Promise<void> {
  for (const profile of PROFILES) {
    await mkdir(new URL('./', typesFile(profile)), { recursive: true })
    await writeFile(typesFile(profile), await generateTypes(profile))
  }
}

if (import.meta.main) await setup()
