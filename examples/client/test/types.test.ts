import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { PROFILES, typesFile, typesOf } from '../generate/types.ts'

test.for(PROFILES)(
  'the types of Profile %s are those of its document: `pnpm generate` writes them',
  async (profile) => {
    expect(await readFile(typesFile(profile), 'utf8')).toBe(await typesOf(profile))
  },
)
