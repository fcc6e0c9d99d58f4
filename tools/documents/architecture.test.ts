import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { type Edge, findCycle, findFloatingPromises, importsOf, targetOf } from 'testkit/imports.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { describe, expect, test } from 'vitest'

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(new URL(file, REPOSITORY)))
const sources = tracked.filter((file) => /\.(tsx?|mts|mjs)$/.test(file))

/** The packages of both workspaces, by name. The root has the configuration of all. */
const PACKAGES = new Map(
  tracked
    .filter((file) => file.endsWith('/package.json'))
    .map((file) => {
      const { name, exports = {} } = JSON.parse(readFileSync(new URL(file, REPOSITORY), 'utf8'))
      return [name as string, { folder: dirname(file), exports: exports as Record<string, unknown> }]
    }),
)
const packageOf = (file: string) =>
  [...PACKAGES].find(([, { folder }]) => file.startsWith(`${folder}/`))?.[0] ?? 'the root'

const imports = importsOf(REPOSITORY, sources)
const isRelative = ({ name }: { name: string }) => name.startsWith('.')

/** The imports of files of this repository. */
const edges = imports.flatMap((found): Edge[] => {
  const target = isRelative(found) ? targetOf(found) : resolvePackage(found.name)
  return target === undefined ? [] : [[found.file, target]]
})

/** Returns the file for an import by package name, or undefined for a package from the registry. */
function resolvePackage(name: string): string | undefined {
  const [owner, rest = ''] = name.split(/\/(.*)/)
  const found = PACKAGES.get(owner ?? '')
  if (found === undefined) return undefined
  for (const [key, target] of Object.entries(found.exports)) {
    const [start = '', end] = key.split('*')
    const file = typeof target === 'string' ? target : (target as { default?: string })?.default
    if (file === undefined) continue
    const subpath = rest === '' ? '.' : `./${rest}`
    if (end === undefined ? key === subpath : subpath.startsWith(start))
      return `${found.folder}/${file.replace('*', subpath.slice(start.length)).replace('./', '')}`
  }
  throw new Error(`${name} is not in the exports of ${owner}`)
}

const shown = (violations: readonly { file: string; name: string }[]) =>
  violations.map(({ file, name }) => `${file} imports ${name}`)

describe('in the whole repository', () => {
  test('every import names a tracked or generated file', () => {
    expect(edges.length).toBeGreaterThan(500)
    const unknown = edges.filter(
      ([, to]) =>
        !tracked.includes(to) && !/\/(generated|dist|compat\/webpack)\/|\/compat\/vectors\.mjs$/.test(to),
    )
    expect(unknown).toEqual([])
  })

  test('there is no import cycle between files', () => {
    expect(findCycle(edges)).toBeUndefined()
  })

  test('there is no import cycle between packages', () => {
    const between = edges.map(([from, to]): Edge => [packageOf(from), packageOf(to)])
    expect(findCycle(between.filter(([from, to]) => from !== to))).toBeUndefined()
  })

  test('packages import each other by name only', () => {
    const outside = imports.filter(
      (found) => isRelative(found) && packageOf(found.file) !== packageOf(targetOf(found)),
    )
    expect(shown(outside.filter(({ file }) => packageOf(file) !== 'the root'))).toEqual([])
  })
})

// Without `await`, the service would acknowledge a write before it took place, and its error would end the process.
test('no statement of the service drops a promise, or a value that may be one', () => {
  expect(findFloatingPromises(fileURLToPath(new URL('apps/api/', REPOSITORY)))).toEqual([])
})
