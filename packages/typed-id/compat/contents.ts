/* Claims about the files of the packed package, in the order in which a user would miss them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, resolve, sep } from 'node:path'
import { VECTORS } from '../build-vectors.ts'

/** Returns a message for each claim that does not hold for an unpacked package. */
export function checkContents(folder: string): string[] {
  const missing = ['LICENSE', 'CHANGELOG.md', 'README.md', 'AGENTS.md'].filter(
    (file) => !existsSync(join(folder, file)),
  )
  const vectors = readFileSync(join(folder, 'dist/vectors.json'), 'utf8')
  const declarations = readdirSync(join(folder, 'dist')).filter((file) => /\.d\.c?ts$/.test(file))
  return [
    ...missing.map((file) => `${file} is missing`),
    ...(vectors === `${JSON.stringify(VECTORS, undefined, 1)}\n` ? [] : ['dist/vectors.json is stale']),
    ...declarations.flatMap((file) => checkDefinitions(folder, join(folder, 'dist', file))),
  ]
}

const DECLARATION = /(?:declare (?:const|function|class)|^(?:export )?(?:interface|type)) (\w+)/

/** Follows the declaration map of each exported name to its definition, which must be in the package. */
function checkDefinitions(folder: string, file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  return text.split('\n').flatMap((line, number) => {
    const name = DECLARATION.exec(line)?.[1]
    if (!name) return []
    const entry = map.findEntry(number, line.indexOf(name, DECLARATION.exec(line)?.index))
    if (!('originalSource' in entry)) return [`${file}: ${name} is not in the declaration map`]
    const source = resolve(dirname(file), entry.originalSource)
    if (!source.startsWith(folder + sep) || !existsSync(source)) return [`${source} is missing`]
    const definition = readFileSync(source, 'utf8').split('\n')[entry.originalLine] ?? ''
    return definition.includes(name) ? [] : [`${file}: ${name} leads to "${definition}"`]
  })
}
