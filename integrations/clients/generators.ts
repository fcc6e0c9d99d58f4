import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientModule } from './cases.ts'
import type { GenerateModule } from './job.ts'

/** The generators, by package. Each has a folder with the files `plugin.ts`, `generate.ts`, `client.ts` and `wrong-type.ts`. */
export const GENERATORS: {
  package: string
  folder: string
  generator(): Promise<GenerateModule>
  client(): Promise<ClientModule>
}[] = [
  {
    package: 'openapi-typescript',
    folder: 'openapi-typescript',
    generator: () => import('./openapi-typescript/generate.ts'),
    client: () => import('./openapi-typescript/client.ts'),
  },
  {
    package: '@hey-api/openapi-ts',
    folder: 'hey-api',
    generator: () => import('./hey-api/generate.ts'),
    client: () => import('./hey-api/client.ts'),
  },
  {
    package: 'orval',
    folder: 'orval',
    generator: () => import('./orval/generate.ts'),
    client: () => import('./orval/client.ts'),
  },
  {
    package: 'openapi-zod-client',
    folder: 'openapi-zod-client',
    generator: () => import('./openapi-zod-client/generate.ts'),
    client: () => import('./openapi-zod-client/client.ts'),
  },
  {
    package: 'swagger-typescript-api',
    folder: 'swagger-typescript-api',
    generator: () => import('./swagger-typescript-api/generate.ts'),
    client: () => import('./swagger-typescript-api/client.ts'),
  },
  {
    package: '@redocly/cli',
    folder: 'redocly',
    generator: () => import('./redocly/generate.ts'),
    client: () => import('./redocly/client.ts'),
  },
]

export const VARIANTS = ['typed', 'plain'] as const
export type Variant = (typeof VARIANTS)[number]

export const outputFolder = (variant: Variant, folder: string): string =>
  join(import.meta.dirname, 'generated', variant, folder)

export function versionOf(name: string): string {
  const file = join(import.meta.dirname, '../node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}
