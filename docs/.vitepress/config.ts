import { readFileSync } from 'node:fs'
import manifest from 'typed-id/package.json' with { type: 'json' }
import { defineConfig } from 'vitepress'
import { writeMarkdown } from './llms.ts'
import {
  compileCode,
  inlineReadmeSection,
  linkToRepository,
  nameFiles,
  REPOSITORY,
  toAnchor,
} from './markdown.ts'
import { accessibleSearch, EXTRA_KEYWORDS } from './search.ts'

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
    'guide/tables-in-use',
    'recipes/orms',
    'recipes/kysely',
    'recipes/audit-log',
  ],
  'API and clients': [
    'guide/zod-openapi',
    'guide/frameworks',
    'guide/in-your-framework',
    'recipes/validators',
    'recipes/react',
    'guide/clients',
    'guide/forms',
  ],
  Tools: ['guide/cli', 'guide/testing', 'guide/migrate'],
  'Look up': ['reference/index', 'benchmarks', 'comparison', 'changelog'],
}

const SERVICE_GROUPS: typeof GROUPS = {
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

const toLink = (page: string) => `/${page.replace(/(^|\/)index$/, '$1')}`

const SERVICE = Object.values(SERVICE_GROUPS).flat().map(toLink)

const toSidebar = (groups: typeof GROUPS) =>
  Object.entries(groups).map(([text, pages]) => ({
    text,
    items: pages.map((page) => ({
      text: titleOf(page),
      link: toLink(page),
    })),
  }))

const [library, service] = [toSidebar(GROUPS), toSidebar(SERVICE_GROUPS)]

function titleOf(page: string): string {
  const [, title] =
    /^# (.+)$/m.exec(
      readFileSync(new URL(`../${page}.md`, import.meta.url), 'utf8'),
    ) ?? []
  if (!title) throw new Error(`${page}.md has no line "# title"`)
  return title.replaceAll('`', '')
}

const SITE = manifest.homepage

const toPath = (end: string, folder?: string) =>
  folder ?? end.replace('.md', '.html')

const LAYOUTS: Readonly<Record<string, object>> = {
  'index.md': { layout: 'page', sidebar: false },
  'comparison.md': { aside: false },
  'reliability.md': { aside: false },
  'guide/loose.md': { aside: false },
}

const PACKAGE = `${REPOSITORY}/tree/HEAD/packages/typed-id`

/**
 * The icon that each page embeds. Without an icon, browsers would request
 * /favicon.ico, but all files of the site are below /typed-id/.
 */
const LOGO = readFileSync(
  new URL('../public/logo.svg', import.meta.url),
  'utf8',
).trim()
const ICON = {
  rel: 'icon',
  href: `data:image/svg+xml,${encodeURIComponent(LOGO)}`,
}

export default defineConfig({
  title: 'typed-id',
  description:
    'Identifiers that contain their type: as strings, in TypeScript and in the database.',
  lang: 'en',
  base: '/typed-id/',
  // By default, VitePress turns CSS transitions off and on again when it sets
  // the theme, so the browser calculates all styles three times.
  appearance: { disableTransition: false },
  // Prefetching the pages of all visible links takes more requests and
  // processor time than the page itself.
  router: { prefetchLinks: false },
  head: [
    ['link', ICON],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'typed-id' }],
    // The pages have no og:image, because link previews do not show SVG and the
    // repository has no bitmap.
  ],
  transformHead: ({ title, description, page }) => {
    const href = SITE + page.replace(/(^|\/)index\.md$|\.md$/, toPath)
    return [
      ['link', { rel: 'canonical', href }],
      ['meta', { property: 'og:url', content: href }],
      ['meta', { property: 'og:title', content: title }],
      ['meta', { property: 'og:description', content: description }],
    ]
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    Object.assign(frontmatter, LAYOUTS[relativePath])
  },
  sitemap: { hostname: SITE },
  buildEnd: (site) => writeMarkdown(SITE, site),
  markdown: {
    anchor: { slugify: toAnchor },
    languageAlias: { promql: 'sql', grit: 'js' },
    theme: {
      light: 'github-light-high-contrast',
      dark: 'github-dark-high-contrast',
    },
    codeTransformers: compileCode,
    config: (md) => {
      linkToRepository(md)
      nameFiles(md)
      inlineReadmeSection(md)
    },
  },
  vite: {
    plugins: [accessibleSearch],
  },
  themeConfig: {
    logo: '/logo.svg',
    // With more than five entries, the header would be wider than a screen of
    // 768 pixels.
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/|/recipes' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
      { text: 'Service', link: '/service/', activeMatch: SERVICE.join('|') },
      // Without `target`, VitePress would show its 404 page, because no
      // Markdown page has this path.
      { text: 'Inspector', link: '/inspector.html', target: '_self' },
    ],
    sidebar: {
      // Among paths with equally many slashes, VitePress uses the first that
      // matches the page. '/' matches every page, so the service's paths come
      // before '/'.
      ...Object.fromEntries(SERVICE.map((path) => [path, service])),
      '/': library,
    },
    search: {
      provider: 'local',
      options: {
        _render(text, env, md) {
          const html = md.render(text, env)
          if (env.frontmatter?.search === false) return ''
          return html.replace(
            '</h1>',
            `</h1><p>${EXTRA_KEYWORDS[env.relativePath] ?? ''}</p>`,
          )
        },
        miniSearch: {
          searchOptions: {
            // No fuzzy search for words below six characters, because "port"
            // would find "sort".
            fuzzy: (term: string) => (term.length < 6 ? false : 0.2),
            // Ranks the home page and long lists last, because these pages
            // match nearly every search.
            boostDocument: (id: string) =>
              /^\/typed-id\/#|\/(reference|architecture|changelog|performance)/.test(
                id,
              )
                ? 0.2
                : 1,
          },
        },
      },
    },
    footer: {
      message: `<a href="${REPOSITORY}">Source</a> · <a href="${PACKAGE}">Package</a> · <a href="/typed-id/changelog.html">Version ${manifest.version}</a> · MIT license`,
    },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
