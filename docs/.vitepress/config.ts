import { existsSync } from 'node:fs'
import { ROOT as ORIGIN } from 'typed-id/internal/release/identity.ts'
import { defineConfig } from 'vitepress'
import { drawDiagrams } from './diagrams.ts'
import { developmentIcon, ICON } from './icon.ts'
import { extendMarkdown, toAnchor } from './markdown.ts'
import { BASE, makeRelocatable } from './relocate.ts'
import { accessibleSearch } from './search-box.ts'
import { hasPage, sidebar } from './sidebar.ts'

const INSPECTOR = new URL('../public/inspector.html', import.meta.url)

export default defineConfig({
  title: 'typed-id',
  description: 'Identifiers that contain their type: in their text, in TypeScript and in the database.',
  lang: 'en',
  base: process.env.NODE_ENV === 'production' ? BASE : '/',
  // In a separate file the data about the site is code, in which the base can be replaced.
  metaChunk: true,
  head: [
    ['link', ICON],
    ['meta', { name: 'color-scheme', content: 'light dark' }],
  ],
  markdown: {
    anchor: { slugify: toAnchor },
    languageAlias: { promql: 'sql' }, // the highlighter does not have it
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: (md) => {
      extendMarkdown(md)
      drawDiagrams(md)
    },
  },
  vite: { plugins: [accessibleSearch, developmentIcon] },
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
        activeMatch: '/service/|/operations/|/reliability|/performance|/architecture',
      },
      // One HTML file, which is not a page of VitePress: a program writes it before the build.
      ...(existsSync(INSPECTOR) ? [{ text: 'Inspector', link: '/inspector.html', target: '_self' }] : []),
    ],
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
    ...(ORIGIN.repository && { socialLinks: [{ icon: 'github', link: ORIGIN.repository }] }),
    docFooter: { prev: 'Previous', next: 'Next' },
  },
})
