import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { IdType } from '../../core/types.ts'
import { UsageError } from '../usage-error.ts'
import { createManifest, type Manifest } from './manifest.ts'

/** Returns the manifest of the id types that a module exports, in the order of their prefixes. */
export async function collectTypes(file: string): Promise<Manifest> {
  const found = new Map<IdType<string>, string>()
  for (const [name, value] of Object.entries(await importModule(file))) {
    if (!isIdType(value)) continue
    if (typeof value.shortPattern !== 'string')
      throw new UsageError(`${file}: ${name} is of defineTypeId, a manifest contains types of defineId`)
    const earlier = found.get(value)
    if (earlier) throw new UsageError(`${file} exports the type ${value.prefix} as ${earlier} and as ${name}`)
    found.set(value, name)
  }
  if (found.size === 0) throw new UsageError(`${file} exports no id type`)

  const types = [...found].sort(([a], [b]) => (a.prefix < b.prefix ? -1 : 1))
  types.forEach(([type], i) => {
    if (type.prefix === types[i - 1]?.[0].prefix)
      throw new UsageError(`${file} exports two types ${type.prefix}`)
  })
  return createManifest(
    types.map(([type, name]) => [type.prefix, { type: name, version: versionOf(type) }]),
    file,
  )
}

async function importModule(file: string): Promise<Record<string, unknown>> {
  try {
    return await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    throw new UsageError(`Cannot import ${file}: ${error instanceof Error ? error.message : error}`)
  }
}

/** The type may come from another copy of this package, or be of `defineTypeId`, which has no `shortPattern`. */
function isIdType(value: unknown): value is IdType<string> {
  const { prefix, pattern, toUuid, generate } = Object(value) as Partial<IdType<string>>
  return (
    typeof prefix === 'string' &&
    typeof pattern === 'string' &&
    typeof toUuid === 'function' &&
    typeof generate === 'function'
  )
}

/** Returns the version of a new id. */
function versionOf({ generate, toUuid }: IdType<string>): number {
  return Number.parseInt(toUuid(generate()).charAt(14), 16)
}
