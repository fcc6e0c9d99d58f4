/**
 * Writes the requests of a profile into a new folder, in the format of Bruno: `pnpm --filter conformance collection FOLDER a`.
 * A relative folder starts where pnpm was called.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PROFILES } from 'api/composition/variables.ts'
import { documentFile } from 'api/openapi/documents.ts'
import { type Document, operationsOf } from 'testkit/document.ts'
import { brunoFiles } from './bruno.ts'
import { flowsA } from './flows-a.ts'
import { flowsB, setupB } from './flows-b.ts'
import { generalRequests } from './general-requests.ts'
import type { Collection } from './request.ts'
import { schemaRequests } from './schema-requests.ts'
import { setupA } from './setup-a.ts'
import { missingSetup } from './valid-bodies.ts'

export const FLOWS = { a: { setup: setupA, flows: flowsA }, b: { setup: setupB, flows: flowsB } }

/** Returns the requests of a profile: those that follow from its OpenAPI document, and those that depend on each other. */
export async function createCollection(name: keyof typeof PROFILES): Promise<Collection> {
  const { setup, flows } = FLOWS[name]
  const document: Document = JSON.parse(await readFile(documentFile(name), 'utf8'))
  const operations = operationsOf(document)
  return new Map([
    ['setup', [...setup, ...missingSetup(document, setup)]],
    ['general', generalRequests(operations)],
    ...Object.entries(flows).filter(([folder]) => folder === 'reading' || folder === 'paging'),
    ...operations.map((operation) => [operation.operationId, schemaRequests(document, operation)] as const),
    ...Object.entries(flows).filter(([folder]) => folder !== 'reading' && folder !== 'paging'),
  ])
}

/** Writes the collection of a profile into a folder, as the files of Bruno. */
export async function writeCollection(name: keyof typeof PROFILES, folder: string): Promise<void> {
  const files = brunoFiles(`User management, profile ${name.toUpperCase()}`, await createCollection(name))
  for (const [path, text] of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

if (import.meta.main) {
  const [folder, profile, ...more] = process.argv.slice(2)
  if (folder === undefined || (profile !== 'a' && profile !== 'b') || more.length > 0) {
    console.error('expected a folder and a profile, a or b')
    process.exit(2)
  }
  const path = resolve(process.env.INIT_CWD ?? '.', folder)
  if (existsSync(path)) {
    console.error(`expected a new folder, but ${path} exists`)
    process.exit(2)
  }
  await writeCollection(profile, path)
}
