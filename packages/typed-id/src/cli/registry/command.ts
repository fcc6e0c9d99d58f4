import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { defineId } from '../../core/id-type.ts'
import type { IdType } from '../../core/types.ts'
import { escapeText, put, type Terminal, UsageError } from '../terminal.ts'
import { createManifest, type Manifest, readManifest } from './manifest.ts'
import { OUTPUTS } from './outputs.ts'

const OPTIONS = { json: { type: 'boolean' }, to: { type: 'string' } } as const

/** Prints the id types of a module, or of a manifest, as a manifest or in another language. */
export async function printRegistry(args: string[], { stdout }: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new UsageError('registry expects one module or manifest')
  const to = values.to ?? 'json'
  const write = Object.hasOwn(OUTPUTS, to) ? OUTPUTS[to] : undefined
  if (!write || (values.json && to !== 'json'))
    throw new UsageError(`--to expects ${Object.keys(OUTPUTS).join(', ')}, or --json alone`)
  const manifest = file.endsWith('.json') ? await readManifest(file) : await collectTypes(file)
  const types = [...manifest.keys()].map((prefix) => defineId<string>(prefix))
  await put(stdout, write(manifest, types))
  return 0
}

/**
 * Compares the manifests of several services. Reports each prefix that two of them give to types with different names or
 * versions.
 *
 * @returns the exit code: 1 if there is such a prefix, otherwise 0.
 */
export async function compareManifests(files: readonly string[], { stderr }: Terminal): Promise<number> {
  if (files.length === 0) throw new UsageError('check --registry expects manifests')
  const seen = new Map<string, { use: string; file: string }>()
  let errors = ''
  for (const file of files) {
    for (const [prefix, { type, version }] of await readManifest(file)) {
      const use = `${type} of version ${version}`
      const earlier = seen.get(prefix)
      if (!earlier) seen.set(prefix, { use, file })
      else if (earlier.use !== use)
        errors += `${escapeText(`${prefix}: ${earlier.use} in ${earlier.file}, ${use} in ${file}`)}\n`
    }
  }
  await put(stderr, errors)
  return errors ? 1 : 0
}

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
  const { stdout, stderr } = process
  const { write } = stdout
  stdout.write = stderr.write.bind(stderr) // Output of the module is not part of the manifest.
  try {
    return await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    throw new UsageError(`Cannot import ${file}: ${error instanceof Error ? error.message : error}`)
  } finally {
    stdout.write = write
  }
}

/** Returns whether a value is an id type, also of another copy of this package or of `defineTypeId`. */
function isIdType(value: unknown): value is IdType<string> {
  const { prefix, pattern, toUuid, generate } = Object(value) as Partial<IdType<string>>
  return (
    typeof prefix === 'string' &&
    typeof pattern === 'string' &&
    typeof toUuid === 'function' &&
    typeof generate === 'function'
  )
}

/** Returns the UUID version of the ids that a type generates. */
function versionOf({ generate, toUuid }: IdType<string>): number {
  return Number.parseInt(toUuid(generate()).charAt(14), 16)
}
