import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateZodClientFromOpenAPI } from 'openapi-zod-client'
import type { Job } from '../job.ts'
import { keepPatterns, typeIds } from './plugin.ts'

export const hook = 'a change of the document, and of the code'

export async function generate({ name, file, output, plugin }: Job): Promise<void> {
  const document = JSON.parse(await readFile(file, 'utf8'))
  const code = await generateZodClientFromOpenAPI({
    openApiDoc: plugin ? keepPatterns(document) : document,
    disableWriteToFile: true,
    options: { withAlias: true },
  })
  await writeFile(join(output, `${name}.ts`), plugin ? typeIds(code) : code)
}
