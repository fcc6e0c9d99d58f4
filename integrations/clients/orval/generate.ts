import { join } from 'node:path'
import { type Options, generate as orval } from 'orval'
import type { Job } from '../job.ts'
import { nameIds, writeIdTypes } from './plugin.ts'

export const hook = 'option `transformer`, and the hook `afterAllFilesWrite`'

export async function generate({ name, file, output, plugin }: Job): Promise<void> {
  const options: Options = {
    input: { target: file, ...(plugin && { override: { transformer: nameIds } }) },
    output: {
      target: join(output, `${name}.ts`),
      client: 'fetch',
      baseUrl: { runtime: 'process.env.API_URL' },
      override: { fetch: { includeHttpResponseReturnType: false, forceSuccessResponse: true } },
    },
    ...(plugin && { hooks: { afterAllFilesWrite: (files) => writeIdTypes(files as string[]) } }),
  }
  await orval(options, undefined, { logLevel: 'error' })
}
