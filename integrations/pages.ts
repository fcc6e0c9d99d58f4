/*
 * Writes the code blocks of the guide and the recipes into files. The fence
 * names the folder, as in `ts frameworks/hono`, and the line above the block
 * names the file.
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
