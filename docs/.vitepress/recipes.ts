/*
 * Writes a page per tool into docs/recipes/. It contains the files of integrations/ that a reader copies, the files
 * that these import, and the tested versions. The tests run these files. Only the list below is written by hand.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

const DOCS = fileURLToPath(new URL('..', import.meta.url))
const INTEGRATIONS = 'integrations/'
const read = (file: string) => readFileSync(`${DOCS}../${file}`, 'utf8')

type Recipe = readonly [page: string, title: string, text: string, test: string, files: readonly string[]]

const VALIDATORS = ['valibot', 'arktype', 'typebox', 'effect']
const MATRIX = 'frameworks/matrix.test.ts'
const web = (page: string, title: string, text: string): Recipe => [
  page,
  title,
  text,
  MATRIX,
  [`${VALIDATORS.includes(page) ? 'validators' : 'frameworks'}/${page}/recipe.ts`],
]

/** Returns the recipe of an ORM: how to declare columns, and how to use them. */
const orm = (page: string, title: string, text: string, test = 'orm/matrix.test.ts'): Recipe => [
  ...([page, title, text, test] as const),
  [`orm/${page}/recipe.ts`, `orm/${page}/store.ts`],
]

/** The recipes by group of the sidebar. The paths are relative to integrations/. */
export const RECIPES: Readonly<Record<string, readonly Recipe[]>> = {
  'Database recipes': [
    orm(
      'drizzle',
      'Drizzle',
      'A `customType` for a uuid column, or a column of text or bytes: queries take and return typed ids.',
    ),
    [
      'prisma',
      'Prisma',
      'A client extension that generates, converts and checks the ids of nested reads and writes.',
      'orm/matrix.test.ts',
      ['orm/prisma/store.ts', 'orm/prisma/schema.ts'],
    ],
    orm(
      'kysely',
      'Kysely',
      'Column types, a CHECK on the ids and paging by id; then the plugin for columns of bare UUIDs, with bulk inserts.',
      'orm/kysely/recipe.test.ts',
    ),
    orm('typeorm', 'TypeORM', 'A column decorator with a transformer.'),
    orm('mikro-orm', 'MikroORM', 'A custom `Type` for properties that are ids.'),
    [
      'better-auth',
      'better-auth',
      'Typed ids for users, sessions and accounts: `generateId` receives the model.',
      'better-auth/auth.test.ts',
      ['better-auth/auth.ts'],
    ],
    [
      'opaque',
      'Opaque ids in Hono',
      'Version 7 ids in the database, version 4 ids for clients, by the schemas alone.',
      'opaque/recipe.test.ts',
      ['opaque/recipe.ts'],
    ],
  ],
  'API recipes': [
    web('hono', 'Hono', 'A validator for path ids, and the OpenAPI document.'),
    web('express', 'Express', 'A function that parses path ids, and an OpenAPI document.'),
    web('fastify', 'Fastify', 'The zod type provider validates path ids and documents them.'),
    web('nestjs', 'NestJS', 'A parameter decorator and pipe that reject other ids.'),
    web('trpc', 'tRPC', 'An id type is a Standard Schema, so procedures take it as input.'),
    web('graphql', 'GraphQL', 'A scalar per id type, for graphql-js and GraphQL Yoga.'),
    web('pothos', 'Pothos (GraphQL)', 'Typed scalars for arguments and fields.'),
    web('mcp', 'MCP', 'Ids as parameters of the tools of a Model Context Protocol server.'),
    web('elysia', 'Elysia on Bun', 'Ids in path parameters, with the OpenAPI plugin.'),
    web('valibot', 'Valibot', 'A pipe with the pattern and the type, and its JSON Schema.'),
    web('arktype', 'ArkType', 'A type of the pattern, narrowed to the id.'),
    web('typebox', 'TypeBox', 'A string schema with the static type of the id.'),
    web('effect', 'Effect Schema', 'A schema that declares the id, and its JSON Schema.'),
    [
      'react',
      'React, forms and TanStack Query',
      'Ids generated in the browser as keys of rows, short ids in links, ids as query keys, and a form that takes an id.',
      'react/recipe.test.ts',
      ['react/recipe.tsx', 'react/team-form.tsx'],
    ],
    [
      'next',
      'Next',
      'Ids in dynamic routes of the App Router: a page, a route handler and a server action.',
      'next/recipe.test.ts',
      [
        'next/app/users/[id]/page.tsx',
        'next/app/api/users/[id]/route.ts',
        'next/app/actions.ts',
        'next/app/page.tsx',
        'users.ts',
      ],
    ],
    [
      'openapi-clients',
      'OpenAPI generators',
      'How to pass the plugins of `typed-id/openapi` to openapi-typescript, hey-api, orval, and others.',
      'clients/generators.test.ts',
      ['clients/generators.ts'],
    ],
  ],
  'Other recipes': [
    [
      'test-tools',
      'Vitest, Jest, faker and fast-check',
      'Ids that repeat in each test, together with the data of faker, and arbitrary ids.',
      'testing/recipe.test.ts',
      ['testing/setup.ts', 'testing/fixtures.ts'],
    ],
    [
      'eslint-biome',
      'ESLint and Biome',
      'Rules that forbid casts to ids outside of the file that defines the types.',
      'lint/lint.test.ts',
      ['lint/eslint.config.js', 'lint/no-id-casts.grit'],
    ],
    [
      'python',
      'Python',
      'Both forms of an id without a library.',
      'other-languages.sh',
      ['python/typed_id.py'],
    ],
    ['go', 'Go (golang)', 'Both forms of an id without a library.', 'other-languages.sh', ['go/typedid.go']],
  ],
}

/** Returns the recipe page, such as `recipes/hono`, for a file or a folder of the repository, if there is one. */
export function recipePageOf(path: string): string | undefined {
  const found = Object.values(RECIPES)
    .flat()
    .find(([, , , , files]) =>
      files.some(
        (file) => INTEGRATIONS + file === path || dirname(INTEGRATIONS + file) === path.replace(/\/$/, ''),
      ),
    )
  return found && `recipes/${found[0]}`
}

function createPage([, title, text, test, files]: Recipe): string {
  const shown = new Set<string>()
  for (const file of files) collect(file, shown)
  const packages = [...shown].flatMap((file) => packagesOf(file))
  const versions = [...new Set(packages)].filter((name) => name in DEPENDENCIES).sort()
  const tested = versions.map((name) => `${name} ${DEPENDENCIES[name]}`).join(', ')
  return `# ${title}

${text} [A test](../../${INTEGRATIONS}${test}) runs these files${tested && `, with ${tested}`}.

${[...shown].map((file) => `## ${file}\n\n<<< ../../${INTEGRATIONS}${file}\n`).join('\n')}`
}

const DEPENDENCIES: Readonly<Record<string, string>> = JSON.parse(
  read(`${INTEGRATIONS}package.json`),
).devDependencies

/** Adds a file and the files that it imports, but no type imports, generated files or test set-up. */
function collect(file: string, shown: Set<string>): void {
  if (shown.has(file)) return
  shown.add(file)
  for (const [, path = ''] of read(INTEGRATIONS + file).matchAll(
    /^(?:import|export) (?!type\b)[^'"]*?'(\.[^']+)'/gm,
  )) {
    const imported = join(dirname(file), path)
    if (!/generated|^databases\.ts$|cases\.ts$|tables\.ts$/.test(imported)) collect(imported, shown)
  }
}

const packagesOf = (file: string) =>
  [...read(INTEGRATIONS + file).matchAll(/from '((?:@[^/']+\/)?[^./'][^/']*)/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'typed-id')

if (import.meta.main) {
  rmSync(`${DOCS}recipes`, { recursive: true, force: true })
  mkdirSync(`${DOCS}recipes`)
  for (const recipe of Object.values(RECIPES).flat())
    writeFileSync(`${DOCS}recipes/${recipe[0]}.md`, createPage(recipe))
}
