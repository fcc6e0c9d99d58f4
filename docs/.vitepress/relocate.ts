/*
 * Makes the built site independent of the path at which it is served. VitePress writes absolute URLs, so the base of
 * the build is a placeholder. In HTML and CSS, the placeholder becomes a relative path. Scripts replace it when they
 * are loaded, with the path from which the browser loaded them.
 */
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'acorn'

export const BASE = '/__base__/'

/** The 404 page. A host serves it at any depth, so it refers to no other file. */
const NOT_FOUND = new URL('404.html', import.meta.url)

export function makeRelocatable(folder: string): void {
  copyFileSync(NOT_FOUND, join(folder, '404.html'))
  for (const file of globSync('**/*.{html,css,js}', { cwd: folder })) {
    const path = join(folder, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(BASE)) continue
    const up = '../'.repeat(file.split(/[\\/]/).length - 1) || './'
    writeFileSync(path, file.endsWith('.js') ? relocateScript(text, up) : text.replaceAll(BASE, up))
  }
}

interface Node {
  type: string
  start: number
  end: number
}

/** Replaces the placeholder in each string literal and each template literal of a module. */
function relocateScript(code: string, up: string): string {
  let result = ''
  let end = 0
  for (const node of stringsIn(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }))) {
    if (!code.slice(node.start, node.end).includes(BASE)) continue
    result += `${code.slice(end, node.end)}.replaceAll(${JSON.stringify(BASE)},$base)`
    end = node.end
  }
  const path = `const $base=new URL(${JSON.stringify(up)},import.meta.url).pathname;`
  return path + result + code.slice(end)
}

/** Returns the string and template literals, in source order, except import paths, which are already relative. */
function stringsIn(tree: unknown): Node[] {
  if (typeof tree !== 'object' || tree === null) return []
  if (Array.isArray(tree)) return tree.flatMap(stringsIn)
  const { type } = tree as Node
  if (type === 'TemplateLiteral' || type === 'Literal') return [tree as Node]
  return Object.values(tree).flatMap(stringsIn)
}
