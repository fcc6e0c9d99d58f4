import { formatTable, replaceSection } from 'testkit/tables.ts'
import { versionOf } from '../versions.ts'

export interface Recipe {
  readonly name: string
  /** Contains `recipe.ts`. Relative to the folder of this workspace. */
  readonly folder: string
  readonly packages: readonly string[]
  /** What the client receives for an invalid id, or which error the validator throws. */
  readonly rejection: string
}

/** `open.ts` starts each of them. */
export const FRAMEWORKS: readonly Recipe[] = [
  {
    name: 'Hono',
    folder: 'frameworks/hono',
    packages: ['hono', '@hono/standard-validator', 'hono-openapi'],
    rejection: 'status 400',
  },
  {
    name: 'Fastify',
    folder: 'frameworks/fastify',
    packages: ['fastify', 'fastify-type-provider-zod', '@fastify/swagger'],
    rejection: 'status 400',
  },
  { name: 'Express', folder: 'frameworks/express', packages: ['express'], rejection: 'status 400' },
  {
    name: 'NestJS',
    folder: 'frameworks/nestjs',
    packages: ['@nestjs/core', '@nestjs/swagger'],
    rejection: 'status 400',
  },
  {
    name: 'tRPC',
    folder: 'frameworks/trpc',
    packages: ['@trpc/server', 'trpc-to-openapi'],
    rejection: 'status 400',
  },
  {
    name: 'GraphQL',
    folder: 'frameworks/graphql',
    packages: ['graphql', 'graphql-yoga'],
    rejection: 'status 400',
  },
  { name: 'Pothos', folder: 'frameworks/pothos', packages: ['@pothos/core'], rejection: 'status 400' },
  {
    name: 'MCP',
    folder: 'frameworks/mcp',
    packages: ['@modelcontextprotocol/sdk'],
    rejection: 'error -32602',
  },
  {
    name: 'Elysia on Bun',
    folder: 'frameworks/elysia',
    packages: ['elysia', '@elysiajs/openapi', 'bun'],
    rejection: 'status 422',
  },
]

export const VALIDATORS: readonly Recipe[] = [
  {
    name: 'Valibot',
    folder: 'validators/valibot',
    packages: ['valibot', '@valibot/to-json-schema'],
    rejection: 'ValiError',
  },
  { name: 'ArkType', folder: 'validators/arktype', packages: ['arktype'], rejection: 'TraversalError' },
  { name: 'TypeBox', folder: 'validators/typebox', packages: ['typebox'], rejection: 'ParseError' },
  { name: 'Effect Schema', folder: 'validators/effect', packages: ['effect'], rejection: 'SchemaError' },
]

export const RECIPES: readonly Recipe[] = [...FRAMEWORKS, ...VALIDATORS]

/** Returns the packages of a recipe with their installed versions. */
export const versionsOf = ({ packages }: Recipe): string =>
  packages.map((name) => `${name} ${versionOf(name)}`).join(', ')

export const PAGE = new URL('../../docs/guide/frameworks.md', import.meta.url)

/** Returns the page with the installed versions. On the site, the links lead to a page with the code. */
export function updatePage(page: string): string {
  const rows = RECIPES.map((recipe) => [
    recipe.name,
    `[\`${recipe.folder}\`](${pathOf(recipe)})`,
    versionsOf(recipe),
  ])
  const table = formatTable({ columns: ['with', 'recipe', 'tested versions'], rows })
  return replaceSection(page, 'recipes', table)
}

/** The file of a recipe, as the page refers to it. */
const pathOf = ({ folder }: Recipe) => `../../integrations/${folder}/recipe.ts`
