import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import {
  compileCode,
  linkToRepository,
  nameFiles,
  REPOSITORY,
  toAnchor,
} from './markdown.ts'
import { accessibleSearch, KEYWORDS } from './search.ts'
import { library, service } from './sidebar.ts'

const { version } = JSON.parse(
  readFileSync(
    new URL('../../packages/typed-id/package.json', import.meta.url),
    'utf8',
  ),
)
/** The pages that have the sidebar of the service. */
const SERVICE = [
  '/service/',
  '/operations/',
  '/reliability',
  '/performance',
  '/architecture',
]

const PACKAGE = `${REPOSITORY}/tree/HEAD/packages/typed-id`

const INSPECTOR = new URL('../public/inspector.html', import.meta.url)

/**
 * An inline icon. Without one, browsers would request an icon from the root of
 * the host.
 */
const LOGO = readFileSync(
  new URL('../public/logo.svg', import.meta.url),
  'utf8',
).trim()
const ICON = {
  rel: 'icon',
  href: `data:image/svg+xml,${encodeURIComponent(LOGO)}`,
}

/**
 * GitHub's mark. VitePress' development server would load an icon with a name
 * from another host.
 */
const GITHUB = `<svg viewBox="0 0 24 24"><path d="M12 .297c-6.63 0-12 5.373-12 12c0 5.303 3.438 9.8 8.205 11.385c.6.113.82-.258.82-.577c0-.285-.01-1.04-.015-2.04c-3.338.724-4.042-1.61-4.042-1.61C4.422 18.07 3.633 17.7 3.633 17.7c-1.087-.744.084-.729.084-.729c1.205.084 1.838 1.236 1.838 1.236c1.07 1.835 2.809 1.305 3.495.998c.108-.776.417-1.305.76-1.605c-2.665-.3-5.466-1.332-5.466-5.93c0-1.31.465-2.38 1.235-3.22c-.135-.303-.54-1.523.105-3.176c0 0 1.005-.322 3.3 1.23c.96-.267 1.98-.399 3-.405c1.02.006 2.04.138 3 .405c2.28-1.552 3.285-1.23 3.285-1.23c.645 1.653.24 2.873.12 3.176c.765.84 1.23 1.91 1.23 3.22c0 4.61-2.805 5.625-5.475 5.92c.42.36.81 1.096.81 2.22c0 1.606-.015 2.896-.015 3.286c0 .315.21.69.825.57C20.565 22.092 24 17.592 24 12.297c0-6.627-5.373-12-12-12"/></svg>`

export default defineConfig({
  title: 'typed-id',
  description:
    'Identifiers that contain their type: as strings, in TypeScript and in the database.',
  lang: 'en',
  // GitHub Pages serves the site of a repository in a folder with the name of
  // the repository.
  base: '/typed-id/',
  // With VitePress' default, the first page would calculate all styles three
  // times.
  appearance: { disableTransition: false },
  // Prefetching the pages of all visible links takes more requests and
  // processor time than the page itself.
  router: { prefetchLinks: false },
  head: [
    ['link', ICON],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:site_name', content: 'typed-id' }],
  ],
  transformHead: ({ title, description }) => [
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
  ],
  markdown: {
    anchor: { slugify: toAnchor },
    languageAlias: { promql: 'sql', grit: 'js' }, // substitutes for languages that the highlighter lacks
    theme: {
      light: 'github-light-high-contrast',
      dark: 'github-dark-high-contrast',
    },
    codeTransformers: compileCode,
    config: (md) => {
      linkToRepository(md)
      nameFiles(md)
    },
  },
  vite: {
    plugins: [
      accessibleSearch,
      llmstxt({
        sidebar: [...library, ...service],
        ignoreFiles: ['reference/**'],
      }),
    ],
  },
  themeConfig: {
    logo: '/logo.svg',
    // Five entries: with one more, the header is wider than a screen of 768
    // pixels.
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/|/recipes' },
      { text: 'Reference', link: '/reference/', activeMatch: '/reference/' },
      { text: 'Service', link: '/service/', activeMatch: SERVICE.join('|') },
      // An HTML file that is not a page of VitePress. A program writes it
      // before the build.
      ...(existsSync(INSPECTOR)
        ? [{ text: 'Inspector', link: '/inspector.html', target: '_self' }]
        : []),
    ],
    sidebar: {
      // Of several matches of equal depth, the first counts.
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
            `</h1><p>${KEYWORDS[env.relativePath] ?? ''}</p>`,
          )
        },
        miniSearch: {
          searchOptions: {
            // Shorter words differ from each other by a letter: "port" from
            // "sort".
            fuzzy: (term: string) => (term.length < 6 ? false : 0.2),
            // Ranks the home page, and lists that contain everything, last.
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
      message: `<a href="${REPOSITORY}">Source</a> · <a href="${PACKAGE}">Package</a> · <a href="/typed-id/changelog.html">Version ${version}</a> · MIT license`,
    },
    outline: [2, 3],
    socialLinks: [
      { icon: { svg: GITHUB }, link: REPOSITORY, ariaLabel: 'GitHub' },
    ],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
