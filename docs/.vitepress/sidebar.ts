/* The pages by group, in reading order. The label of an entry is the first heading of its page. */
import { readFileSync } from 'node:fs'

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['guide/start', 'guide/why', 'recipes', 'guide/faq'],
  Concepts: [
    'guide/ids',
    'guide/grammar',
    'guide/loose',
    'guide/errors',
    'guide/order',
    'guide/opaque',
  ],
  Database: [
    'guide/storage',
    'guide/sql',
    'recipes/drizzle',
    'recipes/prisma',
    'recipes/kysely',
    'recipes/other-orms',
  ],
  'API and clients': [
    'guide/zod-openapi',
    'guide/frameworks',
    'recipes/validators',
    'recipes/react',
    'recipes/better-auth',
    'guide/clients',
  ],
  Tools: ['guide/cli', 'guide/testing', 'guide/migrate'],
  'Look up': ['reference/index', 'benchmarks', 'comparison', 'changelog'],
}

const SERVICE: typeof GROUPS = {
  'The service': [
    'service/index',
    'service/front-end',
    'reliability',
    'performance',
    'architecture',
  ],
  Operations: [
    'operations/run',
    'operations/configuration',
    'operations/databases',
    'operations/overload',
    'operations/monitoring',
    'operations/upgrade',
    'operations/backup',
  ],
}

const toSidebar = (groups: typeof GROUPS) =>
  Object.entries(groups).map(([text, pages]) => ({
    text,
    items: pages.map((page) => ({
      text: titleOf(page),
      link: `/${page.replace(/(^|\/)index$/, '$1')}`,
    })),
  }))

/**
 * The sidebars of the library and of the service. Each page has one of the two.
 */
export const [library, service] = [toSidebar(GROUPS), toSidebar(SERVICE)]

function titleOf(page: string): string {
  const [, title] =
    /^# (.+)$/m.exec(
      readFileSync(new URL(`../${page}.md`, import.meta.url), 'utf8'),
    ) ?? []
  if (!title) throw new Error(`${page}.md has no line "# title"`)
  return title.replaceAll('`', '')
}
