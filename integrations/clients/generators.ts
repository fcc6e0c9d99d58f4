import fs from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import heyApiManifest from '@hey-api/openapi-ts/package.json' with { type: 'json' }
import { heyApi, openapiTypescript, orval } from 'typed-id/openapi'
import typescript from 'typescript'
import type { DocumentName } from './documents.ts'

interface Generator {
  readonly package: string
  /** The folder of `client.ts`, which uses the generated client. */
  readonly folder: string
  /** The table cell with the export of `typed-id/openapi` and, in a word or two, the place that uses it. */
  readonly hook: string
  /** Returns the type of the component `Ids` in the client of a document. By default, a file exports that type. */
  ids?(name: string): string
  generate(job: Job): Promise<unknown>
}

interface Job {
  /** The name of a document, and the path of its file. */
  readonly name: DocumentName
  readonly file: string
  /** The folder to write into. */
  readonly output: string
  /** Whether to use the plugin. Otherwise the generator runs as it comes from npm. */
  readonly plugin: boolean
}

/** The generators, with the way in which each receives its plugin. A package is imported only when it generates. */
export const GENERATORS: readonly Generator[] = [
  {
    package: 'openapi-typescript',
    folder: 'openapi-typescript',
    hook: '`openapiTypescript`: options',
    ids: (name) => `import('#generated/openapi-typescript/${name}.ts').components['schemas']['Ids']`,
    async generate({ name, file, output, plugin }) {
      const { astToString, default: openapiTS } = await import('openapi-typescript')
      const document = JSON.parse(await readFile(file, 'utf8'))
      const options = { defaultNonNullable: false, ...(plugin && openapiTypescript(typescript)) }
      await writeFile(join(output, `${name}.ts`), astToString(await openapiTS(document, options)))
    },
  },
  {
    package: '@hey-api/openapi-ts',
    folder: 'hey-api',
    hook: '`heyApi`: the plugin `@hey-api/typescript`',
    ids: (name) => `import('#generated/hey-api/${name}/types.gen.ts').Ids`,
    async generate({ name, file, output, plugin }) {
      const { createClient } = await import('@hey-api/openapi-ts')
      await createClient({
        input: file,
        output: join(output, name),
        logs: { level: 'silent' },
        plugins: [
          plugin ? heyApi(heyApiManifest) : '@hey-api/typescript',
          '@hey-api/sdk',
          '@hey-api/client-fetch',
        ],
      })
    },
  },
  {
    package: 'orval',
    folder: 'orval',
    hook: '`orval`: option `transformer`, hook `afterAllFilesWrite`',
    async generate({ name, file, output, plugin }) {
      const { generate } = await import('orval')
      const { transformer, afterAllFilesWrite } = orval(fs)
      const options: Parameters<typeof generate>[0] = {
        input: { target: file, ...(plugin && { override: { transformer } }) },
        output: {
          target: join(output, `${name}.ts`),
          client: 'fetch',
          baseUrl: { runtime: 'process.env.API_URL' },
          override: { fetch: { includeHttpResponseReturnType: false, forceSuccessResponse: true } },
        },
        ...(plugin && { hooks: { afterAllFilesWrite } }),
      }
      await generate(options, undefined, { logLevel: 'error' })
    },
  },
]

/** Each generator runs with its plugin (`typed`), and without it (`plain`). */
export const VARIANTS = ['typed', 'plain'] as const
export type Variant = (typeof VARIANTS)[number]

export const outputFolder = (variant: Variant, folder: string): string =>
  join(import.meta.dirname, 'generated', variant, folder)
