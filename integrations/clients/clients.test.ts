import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GENERATORS } from './generators.ts'

test.each(GENERATORS)(
  'the compiler checks the client of $package',
  ({ folder }) => {
    const files = globSync(`${import.meta.dirname}/generated/${folder}/**/*.ts`)
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const file of files)
      expect(readFileSync(file, 'utf8'), file).not.toContain('@ts-nocheck')
  },
)
