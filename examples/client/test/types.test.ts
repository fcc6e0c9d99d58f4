import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generateTypes, PROFILES, typesFile } from '../generate/types.ts'

test.for(PROFILES)(
  'the types of Profile %s match its document (`pnpm --filter client-example generate` writes them)',
  async (profile) => {
    expect(await readFile(typesFile(profile), 'utf8')).toBe(await generateTypes(profile))
  },
)
