import { generateApi } from 'swagger-typescript-api'
import type { Job } from '../generators.ts'
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
}
