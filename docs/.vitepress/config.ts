import { existsSync, readFileSync } from 'node:fs'
import { renderMermaidSVG } from 'beautiful-mermaid'
import { defineConfig, type MarkdownRenderer } from 'vitepress'
import { changedComponents } from './components.ts'
import { extendMarkdown, REPOSITORY, toAnchor } from './markdown.ts'
import { BASE, makeRelocatable } from './relocate.ts'
import { hasPage, library, service } from './sidebar.ts'

const { version } = JSON.parse(
  readFileSync(new URL('../../packages/typed-id/package.json', import.meta.url), 'utf8'),
)
/** The pages that have the sidebar of the service. */
const SERVICE = ['/service/', '/operations/', '/reliability', '/performance', '/architecture']

const INSPECTOR = new URL('../public/inspector.html', import.meta.url)

/** The attributes of an inline icon. Without one, browsers would request an icon from the root of the host. */
const ICON = {
  rel: 'icon',
  href: 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"%3E%3Crect width="16" height="16" rx="4" fill="%230067a5"/%3E%3Cpath d="M4 4h3v8H4zm5 0h3v3H9zm0 5h3v3H9z" fill="%23fff"/%3E%3C/svg%3E',
}

/** The colours of diagrams. */
const COLORS = { bg: 'var(--vp-c-bg)', fg: 'var(--vp-c-text-1)', transparent: true }

/** Puts the icon into the HTML of the development server. VitePress adds it in the browser, after the request. */
const developmentIcon = {
  name: 'development-icon',
  apply: 'serve' as const,
  transformIndexHtml: () => [{ tag: 'link', attrs: ICON, injectTo: 'head' as const }],
}

export default defineConfig({
  title: 'typed-id',
  description: 'Identifiers that contain their type: in their text, in TypeScript and in the database.',
  lang: 'en',
  base: process.env.NODE_ENV === 'production' ? BASE : '/',
  // Writes the data about the site as code in a separate file, in which `relocate.ts` can replace the base.
  metaChunk: true,
  // With VitePress' default, the first page would calculate all styles three times.
  appearance: { disableTransition: false },
  // Prefetching the pages of all visible links takes more requests and processor time than the page itself.
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
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      extendMarkdown(md)
      drawDiagrams(md)
    },
  },
  vite: {
    plugins: [changedComponents, developmentIcon],
    define: { __PACKAGE__: JSON.stringify('typed-id') },
  },
  buildEnd: ({ outDir }) => makeRelocatable(outDir),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/|/recipes' },
      ...(hasPage('reference/index')
        ? [{ text: 'Reference', link: '/reference/', activeMatch: '/reference/' }]
        : []),
      ...(hasPage('benchmarks')
        ? [{ text: 'Benchmarks', link: '/benchmarks', activeMatch: '/benchmarks|/comparison' }]
        : []),
      {
        text: 'Service',
        link: '/service/',
        activeMatch: SERVICE.join('|'),
      },
      { text: `v${version}`, link: '/changelog', activeMatch: '/changelog' },
      // An HTML file that is not a page of VitePress. A program writes it before the build.
      ...(existsSync(INSPECTOR) ? [{ text: 'Inspector', link: '/inspector.html', target: '_self' }] : []),
    ],
    sidebar: {
      // Of several matches of equal depth, the first counts.
      ...Object.fromEntries(SERVICE.map((path) => [path, service])),
      '/': library,
    },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // Ranks the guide first, then the pages of tools, and last the reference and other complete lists.
            boostDocument: (id: string) => {
              if (/\/(reference|architecture|operations|changelog)/.test(id)) return 0.2
              if (/\/recipes\/.*#|\/migrate\//.test(id)) return 0.4
              return id.includes('/recipes/') ? 2 : 1
            },
          },
        },
      },
    },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})

/** Draws the Mermaid diagrams of the pages when the site is built, in the colours of the theme. */
function drawDiagrams({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules
  renderer.rules.fence = (tokens, i, ...rest) => {
    const { info, content } = tokens[i] as (typeof tokens)[number]
    if (info !== 'mermaid') return fence?.(tokens, i, ...rest) ?? ''
    // Removes the @import of the picture's style, which would load a font from another host.
    const svg = renderMermaidSVG(content, COLORS).replace(/@import .+;\n/, '')
    // Vue accepts no <style> in a template, so an attribute contains the SVG, encoded without quotes.
    const text = encodeURIComponent(svg).replaceAll("'", '%27')
    return `<div class="diagram" role="img" aria-label="${textIn(content)}" v-html="decodeURIComponent('${text}')"></div>`
  }
}

/** Returns the labels of a flowchart, in the order of its source. */
function textIn(diagram: string): string {
  const labels = [...diagram.matchAll(/[[(]"?([^[\]()"]+)"?[\])]/g)].map(([, label]) => label)
  return `Flow: ${labels.join(', then ').replaceAll('<br>', ': ')}`
}
