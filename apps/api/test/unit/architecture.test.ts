import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../../src/', import.meta.url))
const slashes = (path: string) => path.replaceAll('\\', '/') // the separator on Windows
const files = globSync('**/*.ts', { cwd: src }).map(slashes)
const textOf = (file: string) => readFileSync(join(src, file), 'utf8')
const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/** Every relative import, including type imports and `import()`, as paths below src/. */
const imports = files.flatMap((file) =>
  [...textOf(file).matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, target = '']) => ({
    file,
    target: slashes(relative(src, join(src, dirname(file), target))),
  })),
)

type Edge = readonly [from: string, to: string]

/** Returns the first cycle, as `a -> b -> a`, or undefined. */
function findCycle(edges: readonly Edge[]): string | undefined {
  const next = Map.groupBy(edges, ([from]) => from)
  const done = new Set<string>()
  const search = (node: string, path: readonly string[]): string | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(' -> ')
    if (done.has(node)) return undefined
    for (const [, to] of next.get(node) ?? []) {
      const cycle = search(to, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of next.keys()) {
    const cycle = search(node, [])
    if (cycle) return cycle
  }
  return undefined
}

test('there is no import cycle between files', () => {
  expect(imports.length).toBeGreaterThan(100)
  expect(findCycle(imports.map(({ file, target }) => [file, target])), 'import cycle').toBeUndefined()
})

test('there is no import cycle between folders, at any depth', () => {
  const folders = imports.map(({ file, target }): Edge => [dirname(file), dirname(target)])
  const between = folders.filter(([from, to]) => from !== to && from !== '.' && to !== '.')
  expect(findCycle(between), 'import cycle').toBeUndefined()
})

test('findCycle reports a cycle', () => {
  const edges: Edge[] = [
    ['main', 'b'],
    ['b', 'c'],
    ['c', 'd'],
    ['d', 'b'],
  ]
  expect(findCycle(edges)).toBe('b -> c -> d -> b')
  expect(findCycle(edges.slice(0, 3))).toBeUndefined()
})

/** Files whose path matches `from` import no file whose path matches `to`. */
const forbidden: [from: RegExp, to: RegExp, why: string][] = [
  [/^profiles\/a\//, /^profiles\/b\//, 'profiles are independent'],
  [/^profiles\/b\//, /^profiles\/a\//, 'profiles are independent'],
  [/\/store\//, /^http\/|^profiles\/(?!.\/store\/)/, 'storage does not depend on HTTP'],
  [
    /^database\//,
    /^(http|server|profiles|observability|commands)/,
    'the database depends on no other folder',
  ],
  [/^http\//, /^(profiles|server|observability|commands)/, 'HTTP does not depend on a profile'],
  [
    /^profiles/,
    /^(server|observability|commands|composition)/,
    'a profile depends on http/ and database/ only',
  ],
  [/^(?!main\.ts|commands\/)/, /^(app\.ts|commands\/)/, 'only commands create the app'],
]

test.for(forbidden)('%s does not import %s: %s', ([from, to]) => {
  for (const pattern of [from, to])
    expect(
      files.filter((file) => pattern.test(file)),
      `${pattern} matches no file: adapt it`,
    ).not.toEqual([])
  const violations = imports.filter(({ file, target }) => from.test(file) && to.test(target))
  expect(violations.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
})

test('every file is imported by another one, except main.ts', () => {
  const imported = new Set(imports.map(({ target }) => target))
  expect(files.filter((file) => !imported.has(file))).toEqual(['main.ts'])
})

test('only main.ts reads the process', () => {
  const readers = files.filter((file) => /\bprocess\.(env|argv|exit)/.test(textOf(file)))
  expect(readers).toEqual(['main.ts'])
})

test('only the folders of the engines and the composition name an engine', () => {
  const naming = files.filter((file) => /sqlite|postgres/i.test(codeOf(file)))
  expect(naming.filter((file) => !/^(database\/(sqlite|postgres)|composition)\//.test(file))).toEqual([])
})

test('only the composition names a profile', () => {
  const naming = files.filter(
    (file) => !/^(composition|profiles\/[ab])\//.test(file) && /profiles?[-/]?[ab]\b/i.test(textOf(file)),
  )
  expect(naming).toEqual([])
})
