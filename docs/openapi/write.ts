/* Writes docs/reference/index.md, and a page for each OpenAPI document of the service. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { readDocument } from './document.ts'
import { createPage } from './page.ts'

const FOLDER = new URL('../reference/', import.meta.url)

/** The title of the page of each profile. */
export const TITLES = { a: 'API of the service', b: 'API of the service, simplified' }

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true })
  const links = ['[API of the library](library/index.md): every export of every subpath']
  for (const [profile, title] of Object.entries(TITLES)) {
    writeFileSync(new URL(`service-${profile}.md`, FOLDER), createPage(readDocument(profile), title))
    links.push(`[${title}](service-${profile}.md): the endpoints of profile ${profile.toUpperCase()}`)
  }
  const list = links.map((link) => `- ${link}\n`).join('')
  writeFileSync(new URL('index.md', FOLDER), `# Reference\n\nGenerated from the sources.\n\n${list}`)
}
