import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DocumentName } from './documents.ts'

interface Generator {
  readonly package: string
  /** Contains `plugin.ts`, the file to copy, and `client.ts`, which uses the generated client. */
  readonly folder: string
  /** What the plugin uses to change the types: a word or two for the table. */
  readonly hook: string
  generate(job: Job): Promise<unknown>
}

interface Job {
  /** The name of a document, and the path of its file. */
  readonly name: DocumentName
  readonly file: string
  /** The folder to write into. */
  readonly output: string
  /** Without the plugin, the generator runs as it comes from npm. */
  readonly plugin: boolean
}

const REDOCLY = join(import.meta.dirname, '../node_modules/@redocly/cli/bin/cli.js')

/** The generators, and how each receives its plugin. A package is imported only when it generates. */
export const GENERATORS: readonly Generator[] = [
  {
    package: 'openapi-typescript',
    folder: 'openapi-typescript',
    hook: 'option `transform`',
    async generate({ name, file, output, plugin }) {
      const { astToString, default: openapiTS } = await import('openapi-typescript')
      const { typedIds } = await import('./openapi-typescript/plugin.ts')
      const document = JSON.parse(await readFile(file, 'utf8'))
      const options = { defaultNonNullable: false, ...(plugin && typedIds) }
      await writeFile(join(output, `${name}.ts`), astToString(await openapiTS(document, options)))
    },
  },
  {
    package: '@hey-api/openapi-ts',
    folder: 'hey-api',
    hook: 'option `$resolvers` of `@hey-api/typescript`',
    async generate({ name, file, output, plugin }) {
      const { createClient } = await import('@hey-api/openapi-ts')
      const { typedIds } = await import('./hey-api/plugin.ts')
      await createClient({
        input: file,
        output: join(output, name),
        logs: { level: 'silent' },
        plugins: [plugin ? typedIds : '@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
      })
    },
  },
  {
    package: 'orval',
    folder: 'orval',
    hook: 'option `transformer`, and the hook `afterAllFilesWrite`',
    async generate({ name, file, output, plugin }) {
      const { generate } = await import('orval')
      const { nameIds, writeIdTypes } = await import('./orval/plugin.ts')
      const options: Parameters<typeof generate>[0] = {
        input: { target: file, ...(plugin && { override: { transformer: nameIds } }) },
        output: {
          target: join(output, `${name}.ts`),
          client: 'fetch',
          baseUrl: { runtime: 'process.env.API_URL' },
          override: { fetch: { includeHttpResponseReturnType: false, forceSuccessResponse: true } },
        },
        ...(plugin && { hooks: { afterAllFilesWrite: (files) => writeIdTypes(files as string[]) } }),
      }
      await generate(options, undefined, { logLevel: 'error' })
    },
  },
  {
    package: 'openapi-zod-client',
    folder: 'openapi-zod-client',
    hook: 'a change of the document, and of the code',
    async generate({ name, file, output, plugin }) {
      const { generateZodClientFromOpenAPI } = await import('openapi-zod-client')
      const { keepPatterns, typeIds } = await import('./openapi-zod-client/plugin.ts')
      const document = JSON.parse(await readFile(file, 'utf8'))
      const code = await generateZodClientFromOpenAPI({
        openApiDoc: plugin ? keepPatterns(document) : document,
        disableWriteToFile: true,
        options: { withAlias: true },
      })
      await writeFile(join(output, `${name}.ts`), plugin ? typeIds(code) : code)
    },
  },
  {
    package: 'swagger-typescript-api',
    folder: 'swagger-typescript-api',
    hook: 'option `primitiveTypeConstructs`',
    async generate({ name, file, output, plugin }) {
      const { generateApi } = await import('swagger-typescript-api')
      const { typedIds } = await import('./swagger-typescript-api/plugin.ts')
      const options = { input: file, output, fileName: `${name}.ts`, silent: true }
      await generateApi({ ...options, ...(plugin && { primitiveTypeConstructs: typedIds }) })
      // The output switches the compiler off. It is checked here, as the output of all others.
      const path = join(output, `${name}.ts`)
      await writeFile(path, (await readFile(path, 'utf8')).replace('// @ts-nocheck\n', ''))
    },
  },
  {
    package: '@redocly/cli',
    folder: 'redocly',
    hook: 'a generator before `typescript`',
    async generate({ name, file, output, plugin }) {
      const typedIds = join(import.meta.dirname, 'redocly/plugin.ts')
      const generators = [...(plugin ? [typedIds] : []), 'typescript'].flatMap((name) => [
        '--generator',
        name,
      ])
      const args = ['generate-client', file, '--output', join(output, `${name}.ts`), ...generators]
      await promisify(execFile)(process.execPath, [REDOCLY, ...args], {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      })
    },
  },
]

/** The output of each generator is written with its plugin, and without. */
export const VARIANTS = ['typed', 'plain'] as const
export type Variant = (typeof VARIANTS)[number]

export const outputFolder = (variant: Variant, folder: string): string =>
  join(import.meta.dirname, 'generated', variant, folder)
