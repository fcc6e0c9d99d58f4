import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'
import type { Job } from '../job.ts'
import { typedIds } from './plugin.ts'

export const hook = 'option `$resolvers` of `@hey-api/typescript`'

export async function generate({ name, file, output, plugin }: Job): Promise<void> {
  await createClient({
    input: file,
    output: join(output, name),
    logs: { level: 'silent' },
    plugins: [plugin ? typedIds : '@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  })
}
