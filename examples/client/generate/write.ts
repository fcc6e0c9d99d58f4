import { writeFile } from 'node:fs/promises'
import { PROFILES, typesFile, typesOf } from './types.ts'

for (const profile of PROFILES) await writeFile(typesFile(profile), await typesOf(profile))
