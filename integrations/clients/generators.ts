import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import heyApiManifest from '@hey-api/openapi-ts/package.json' with {
  type: 'json',
}
import { heyApi, openapiTypescript } from 'typed-id/openapi'
import typescript from 'typescript'
import { DOCUMENTS } from './documents.ts'

interface Job {
  readonly name: string
  readonly file: string
  readonly output: string
}

export const GENERATORS = [
  {
    package: 'openapi-typescript',
    folder: 'openapi-typescript',
    async generate({ name, file, output }: Job) {
      const { astToString, default: openapiTS } = await import(
        'openapi-typescript'
      )
      const document = JSON.parse(readFileSync(file, 'utf8'))
      const options = openapiTypescript(typescript)
      const code = astToString(await openapiTS(document, options))
      writeFileSync(join(output, `${name}.ts`), code)
    },
  },
  {
    package: '@hey-api/openapi-ts',
    folder: 'hey-api',
    async generate({ name, file, output }: Job) {
      const { createClient } = await import('@hey-api/openapi-ts')
      await createClient({
        input: file,
        output: join(output, name),
        logs: { level: 'silent' },
        plugins: [
          heyApi(heyApiManifest),
          '@hey-api/sdk',
          '@hey-api/client-fetch',
        ],
      })
    },
  },
]

if (import.meta.main) {
  const generated = join(import.meta.dirname, 'generated')
  rmSync(generated, { recursive: true, force: true })
  for (const { folder } of GENERATORS)
    mkdirSync(join(generated, folder), { recursive: true })
  for (const [name, write] of Object.entries(DOCUMENTS)) {
    const file = join(generated, `${name}.json`)
    writeFileSync(file, write())
    for (const { folder, generate } of GENERATORS)
      await generate({ name, file, output: join(generated, folder) })
  }
}
