import { defineConfig } from 'vitepress'
import { extendMarkdown } from './markdown.ts'
import { BASE, makeRelocatable } from './relocate.ts'
import { sidebar } from './sidebar.ts'

export default defineConfig({
  title: 'typed-id',
  description: 'Identifiers that contain their type, in their text and in TypeScript.',
  lang: 'en',
  base: process.env.NODE_ENV === 'production' ? BASE : '/',
  metaChunk: true,
  markdown: { config: extendMarkdown },
  buildEnd: ({ outDir }) => makeRelocatable(outDir),
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/start', activeMatch: '/guide/' },
      { text: 'Service', link: '/service/' },
      { text: 'Inspector', link: '/inspector.html', target: '_self' },
    ],
    sidebar,
    search: { provider: 'local' },
    outline: [2, 3],
  },
})
