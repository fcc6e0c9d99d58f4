/**
 * Writes the tables of environment variables, endpoints and metrics into the documents, from the sources of the
 * service: `pnpm generate`. A test fails when a document differs.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { REPOSITORY } from 'testkit/repository.ts'
import { replaceSection } from 'testkit/tables.ts'
import { createSections } from './sections.ts'

const ROOT = REPOSITORY

for (const { file, name, table } of await createSections()) {
  const document = new URL(file, ROOT)
  await writeFile(document, replaceSection(await readFile(document, 'utf8'), name, table))
}
