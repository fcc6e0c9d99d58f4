import { parseArgs } from 'node:util'
import { defineId } from '../../core/id-type.ts'
import { escapeText, put, type Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { collectTypes } from './collect.ts'
import { readManifest } from './manifest.ts'
import { OUTPUTS } from './outputs.ts'

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
  json: { type: 'boolean' },
  to: { type: 'string' },
} as const

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
