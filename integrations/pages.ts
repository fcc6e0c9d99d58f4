/*
 * Writes each code block of the pages whose fence names a folder, such as
 * `ts frameworks/hono`, into that folder, under the file name above the block.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const HERE = import.meta.dirname
const PAGES = globSync('../docs/{guide,recipes}/*.md', { cwd: HERE })
const BLOCK = /^`([^`\n]+)`\n\n```\w+ ([\w/-]+)\n(.*?)^```$/gms

for (const page of PAGES) {
  const text = readFileSync(join(HERE, page), 'utf8')
  for (const [, name = '', folder = '', code = ''] of text.matchAll(BLOCK)) {
    if (folder === 'twoslash') continue
    const file = join(HERE, folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, code)
  }
}
