/* The pages by group, in reading order. The text of an entry is the first heading of its page. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['guide/start', 'guide/why', 'recipes', 'guide/faq'],
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
  'API and clients': ['guide/zod-openapi', 'guide/frameworks', 'guide/clients'],
  Tools: ['guide/cli', 'guide/registry', 'guide/testing'],
  Migrating: [
    'guide/migrate/typeid-js',
    'guide/migrate/uuid',
    'guide/migrate/nanoid',
    'guide/migrate/typed-uuid',
    'guide/migrate/live-tables',
    'guide/migrate/online',
  ],
  'Look up': ['benchmarks', 'comparison', ...pagesIn('reference')],
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
    'operations/failover',
  ],
}

/** Generated pages are left out until the program has run that writes them. */
export const hasPage = (page: string): boolean => existsSync(`${ROOT}${page}.md`)

export const sidebar = Object.entries(GROUPS)
  .map(([text, pages]) => ({
    text,
    items: pages
      .filter(hasPage)
      .map((page) => ({ text: titleOf(page), link: `/${page.replace(/(^|\/)index$/, '$1')}` })),
  }))
  .filter(({ items }) => items.length > 0)

/** The pages of a folder, without their extension: the index first. */
function pagesIn(folder: string): string[] {
  const pages = globSync(`${folder}/**/*.md`, { cwd: ROOT }).map((file) =>
    file.replaceAll('\\', '/').slice(0, -3),
  )
  return pages.sort((a, b) => Number(b.endsWith('/index')) - Number(a.endsWith('/index')) || (a < b ? -1 : 1))
}

function titleOf(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(`${ROOT}${page}.md`, 'utf8')) ?? []
  if (!title) throw new Error(`${page}.md has no line "# title"`)
  return title.replaceAll('`', '')
}
