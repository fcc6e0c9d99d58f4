import { writeFile } from 'node:fs/promises'
import { generateTypes, PROFILES, typesFile } from './types.ts'

for (const profile of PROFILES) await writeFile(typesFile(profile), await generateTypes(profile))
