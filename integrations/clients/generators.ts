import { execFile } from 'node:child_process'
import fs, { cpSync, realpathSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import heyApiManifest from '@hey-api/openapi-ts/package.json' with { type: 'json' }
import { heyApi, openapiTypescript, openapiZodClient, orval, swaggerTypescriptApi } from 'typed-id/openapi'
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
  {
    package: 'openapi-zod-client',
    folder: 'openapi-zod-client',
    hook: '`openapiZodClient`: a change of the document, and of the code',
    ids: (name) =>
      `Awaited<ReturnType<typeof import('#generated/openapi-zod-client/${name}.ts').api.getIds>>`,
    async generate({ name, file, output, plugin }) {
      const { generateZodClientFromOpenAPI } = await import('openapi-zod-client')
      const document = JSON.parse(await readFile(file, 'utf8'))
      const code = await generateZodClientFromOpenAPI({
        openApiDoc: plugin ? openapiZodClient.document(document) : document,
        disableWriteToFile: true,
        options: { withAlias: true },
      })
      await writeFile(join(output, `${name}.ts`), plugin ? openapiZodClient.code(code) : code)
    },
  },
  {
    package: 'swagger-typescript-api',
    folder: 'swagger-typescript-api',
    hook: '`swaggerTypescriptApi`: option `primitiveTypeConstructs`',
    async generate({ name, file, output, plugin }) {
      const { generateApi } = await import('swagger-typescript-api')
      const options = { input: file, output, fileName: `${name}.ts`, silent: true }
      await generateApi({ ...options, ...(plugin && { primitiveTypeConstructs: swaggerTypescriptApi }) })
      // Removes the comment with which the output disables the compiler, so that it is checked like all other output.
      const path = join(output, `${name}.ts`)
      await writeFile(path, (await readFile(path, 'utf8')).replace('// @ts-nocheck\n', ''))
    },
  },
  {
    package: '@redocly/cli',
    folder: 'redocly',
    hook: '`generator`, before `typescript`',
    async generate({ name, file, output, plugin }) {
      // Copies the package: files in the store of pnpm cannot import typed-id, unlike a copy or an installation by npm.
      const redocly = join(import.meta.dirname, 'generated/node_modules/@redocly/cli')
      const installed = realpathSync(join(import.meta.dirname, '../node_modules/@redocly/cli'))
      cpSync(installed, redocly, { recursive: true, force: false })
      const args = ['generate-client', file, '--output', join(output, `${name}.ts`)]
      if (plugin) args.push('--generator', 'typed-id/openapi')
      args.push('--generator', 'typescript')
      await promisify(execFile)(process.execPath, [join(redocly, 'bin/cli.js'), ...args], {
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      })
    },
  },
]

/** Each generator runs with its plugin (`typed`), and without it (`plain`). */
export const VARIANTS = ['typed', 'plain'] as const
export type Variant = (typeof VARIANTS)[number]

export const outputFolder = (variant: Variant, folder: string): string =>
  join(import.meta.dirname, 'generated', variant, folder)
