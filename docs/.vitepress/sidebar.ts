/* The pages by group, in reading order. The label of an entry is the first heading of its page. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { RECIPES } from './recipes.ts'
import { MAIN_PAGES } from './split-reference.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['guide/start', 'playground', 'guide/why', 'recipes', 'guide/faq'],
  Concepts: [
    'guide/ids',
    'guide/grammar',
    'guide/loose',
    'guide/typeids',
    'guide/order',
    'guide/privacy',
    'guide/opaque',
    'guide/stability',
  ],
  Database: ['guide/storage', 'guide/sql'],
  'Database recipes': recipes('Database recipes'),
  'API and clients': ['guide/zod-openapi', 'guide/frameworks', 'guide/clients'],
  'API recipes': recipes('API recipes'),
  Tools: ['guide/cli', 'guide/testing', ...recipes('Other recipes')],
  Migrating: ['guide/migrate/packages', 'guide/migrate/live-tables'],
  'Look up': ['benchmarks', 'comparison', 'changelog', ...reference()],
}

const SERVICE: typeof GROUPS = {
  'The service': ['service/index', 'reliability', 'performance', 'architecture'],
  Operations: [
    'operations/index',
    'operations/run',
    'operations/configuration',
    'operations/databases',
    'operations/instances',
    'operations/overload',
    'operations/monitoring',
    'operations/alerts',
    'operations/upgrade',
    'operations/backup',
  ],
}

/** Returns whether a page exists. The sidebar omits generated pages that no program has written yet. */
export const hasPage = (page: string): boolean => existsSync(`${ROOT}${page}.md`)

const toSidebar = (groups: typeof GROUPS) =>
  Object.entries(groups)
    .map(([text, pages]) => ({
      text,
      items: pages
        .filter(hasPage)
        .map((page) => ({ text: titleOf(page), link: `/${page.replace(/(^|\/)index$/, '$1')}` })),
    }))
    .filter(({ items }) => items.length > 0)

/** The sidebars of the library and of the service. A page has one of them. */
export const [library, service] = [toSidebar(GROUPS), toSidebar(SERVICE)]

/** Returns the generated pages: the index, the main entry of the package, then the other entries by name. */
function reference(): string[] {
  const files = globSync('reference/**/*.md', { cwd: ROOT }).sort()
  const pages = files.map((file) => file.replaceAll('\\', '/').slice(0, -3))
  const first = [
    'reference/index',
    'reference/library/index',
    ...MAIN_PAGES.map((page) => `reference/library/${page}`),
  ]
  return [...new Set([...first, ...pages])]
}

function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(`${ROOT}${page}.md`, 'utf8')) ?? []
  if (!title) throw new Error(`${page}.md has no line "# title"`)
  return title.replaceAll('`', '')
}

function recipes(group: string): string[] {
  return (RECIPES[group] ?? []).map(([page]) => `recipes/${page}`)
}
