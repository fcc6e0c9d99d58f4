import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import type { Job } from '../job.ts'
import { typedIds } from './plugin.ts'

export const hook = 'option `transform`'

export async function generate({ name, file, output, plugin }: Job): Promise<void> {
  const document = JSON.parse(await readFile(file, 'utf8'))
  const options = { defaultNonNullable: false, ...(plugin && typedIds) }
  await writeFile(join(output, `${name}.ts`), astToString(await openapiTS(document, options)))
}
