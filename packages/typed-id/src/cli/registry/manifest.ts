import { readFile } from 'node:fs/promises'
import { PREFIX_PATTERN } from '../../core/grammar.ts'
import { UsageError } from '../terminal.ts'

/** The manifest entry of one prefix: the name of the id type in code, and the version of new UUIDs. */
export interface ManifestEntry {
  readonly type: string
  readonly version: number
}

/** The id types of a service by their prefixes: `{ "user": { "type": "UserId", "version": 7 } }`. */
export type Manifest = ReadonlyMap<string, ManifestEntry>

const PREFIX = new RegExp(`^${PREFIX_PATTERN}$`)
/** Matches a type name that TypeScript, Python and Go accept. */
const TYPE = /^[A-Z][a-zA-Z0-9]*$/

export async function readManifest(file: string): Promise<Manifest> {
  return parseManifest(await readFile(file, 'utf8'), file)
}

/** Parses a manifest from JSON. Error messages name it `file`. */
export function parseManifest(text: string, file: string): Manifest {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not JSON`)
  }
  if (!isObject(value))
    throw new UsageError(`${file}: expected an object with the id types by their prefixes`)
  // A merge can leave two equal keys, of which JSON.parse keeps the last one, so the lengths differ.
  if (text.replace(/\s/g, '').length !== JSON.stringify(value).length)
    throw new UsageError(`${file}: a prefix occurs twice, or a value is not as typed-id registry writes it`)
  return createManifest(Object.entries(value), file)
}

/** Checks the entries and returns a manifest that contains them. */
export function createManifest(entries: Iterable<[string, unknown]>, file: string): Manifest {
  const manifest = new Map<string, ManifestEntry>()
  const prefixes = new Map<string, string>()
  for (const [prefix, entry] of entries) {
    if (!PREFIX.test(prefix)) throw new UsageError(`${file}: ${JSON.stringify(prefix)} is not a prefix`)
    if (!isEntry(entry))
      throw new UsageError(`${file}: expected { "type": "UserId", "version": 1 to 8 } for ${prefix}`)
    const { type, version } = entry
    const other = prefixes.get(type)
    if (other) throw new UsageError(`${file}: ${type} is the type of ${other} and of ${prefix}`)
    prefixes.set(type, prefix)
    manifest.set(prefix, { type, version })
  }
  return manifest
}

/** Returns a manifest as JSON, with one line for each entry, in the order of the entries. */
export function formatManifest(manifest: Manifest): string {
  const lines = [...manifest].map(
    ([prefix, { type, version }]) =>
      `  ${JSON.stringify(prefix)}: { "type": "${type}", "version": ${version} }`,
  )
  return lines.length > 0 ? `{\n${lines.join(',\n')}\n}\n` : '{}\n'
}

function isEntry(value: unknown): value is ManifestEntry {
  if (!isObject(value) || Object.keys(value).sort().join() !== 'type,version') return false
  const { type, version } = value
  return (
    typeof type === 'string' &&
    TYPE.test(type) &&
    Number.isInteger(version) &&
    Number(version) >= 1 &&
    Number(version) <= 8
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
