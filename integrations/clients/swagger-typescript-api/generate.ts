import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateApi } from 'swagger-typescript-api'
import type { Job } from '../job.ts'
import { typedIds } from './plugin.ts'

export const hook = 'option `primitiveTypeConstructs`'

export async function generate({ name, file, output, plugin }: Job): Promise<void> {
  await generateApi({
    input: file,
    output,
    fileName: `${name}.ts`,
    silent: true,
    ...(plugin && { primitiveTypeConstructs: typedIds }),
  })
  // The output switches the compiler off. It is checked here, as the output of all others.
  const path = join(output, `${name}.ts`)
  await writeFile(path, (await readFile(path, 'utf8')).replace('// @ts-nocheck\n', ''))
}
