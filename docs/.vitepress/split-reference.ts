/* Splits the generated page of the package's main entry, in the order in which a reader needs its exports. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path/posix'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../reference/library/', import.meta.url))
const MAIN = 'typed-id.md'

/** The exports of each page. The first page has the name of the package. */
const PAGES: readonly (readonly [file: string, title: string, exports: readonly string[]])[] = [
  [
    MAIN,
    'typed-id',
    [
      ...['defineId', 'IdOptions', 'idRegistry', 'IdRegistry', 'RegistryOptions'],
      ...['IdOf', 'TypedId', 'ShortId', 'TaggedId', 'UseParse', 'SafeResult', 'CheckedPrefix'],
    ],
  ],
  ['typed-id/id-type.md', 'The methods of an id type', ['IdType', 'StandardIdSchema', 'StandardIdResult']],
  [
    'typed-id/uuids.md',
    'Sources of UUIDs',
    ['uuidv7', 'uuidv4', 'uuidv7At', 'createUuidv7', 'createUuidv7After', 'Uuidv7Options', 'UuidSource'],
  ],
  [
    'typed-id/errors.md',
    'Errors',
    ['TypedIdError', 'isTypedIdError', 'TypedIdErrorCode', 'TYPED_ID_ERROR_CODES'],
  ],
]

/** The names of the pages without extension, in reading order. */
export const MAIN_PAGES = PAGES.map(([file]) => file.slice(0, -3))

if (import.meta.main) split()

function split(): void {
  const sections = new Map<string, string>()
  for (const part of readFileSync(FOLDER + MAIN, 'utf8')
    .split(/^(?=<a id="[^"]+"><\/a>\n\n### )/m)
    .slice(1)) {
    const [, name = ''] = /^### (.+?)(?:\(\))?$/m.exec(part) ?? []
    sections.set(name.replaceAll('\\', ''), part.replace(/\n(\*\*\*|## .+)\n*$/, '\n'))
  }

  const pages = new Map<string, string>()
  /** The page that contains each anchor. */
  const pageOf = new Map<string, string>()
  for (const [file, title, exports] of PAGES) {
    const texts = exports.map((name) => {
      const text = sections.get(name)
      if (text === undefined) throw new Error(`${MAIN} has no export ${name}`)
      sections.delete(name)
      for (const [, id = ''] of text.matchAll(/<a id="([^"]+)">/g)) pageOf.set(id, file)
      return text.replaceAll(/^#(?=##)/gm, '')
    })
    pages.set(file, `# ${title}\n\n${texts.join('\n')}`)
  }
  if (sections.size > 0) throw new Error(`${[...sections.keys()]}: add them to a page in split-reference.ts`)

  for (const file of globSync('**/*.md', { cwd: FOLDER }).map((path) => path.replaceAll('\\', '/'))) {
    if (!pages.has(file)) pages.set(file, readFileSync(FOLDER + file, 'utf8'))
  }
  for (const [file, text] of pages) {
    const linked = text.replace(/\]\(([^)\s#]*)#(api-[^)]+)\)/g, (link, path: string, id: string) => {
      const isMain = path ? join(dirname(file), path) === MAIN : PAGES.some(([own]) => own === file)
      const target = isMain && pageOf.get(id)
      if (!target) return link
      return target === file ? `](#${id})` : `](${relative(dirname(file), target)}#${id})`
    })
    writeFileSync(FOLDER + file, linked)
  }
  const more = PAGES.slice(1).map(([file, title]) => `  - [${title}](${file})\n`)
  const index = `${FOLDER}index.md`
  writeFileSync(index, readFileSync(index, 'utf8').replace(`](${MAIN})\n`, `](${MAIN})\n${more.join('')}`))
}
