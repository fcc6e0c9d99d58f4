/** Runs every generator on every document, with and without its plugin: `node clients/generate.ts`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCUMENTS, type DocumentName } from './documents.ts'
import { GENERATORS, outputFolder, VARIANTS } from './generators.ts'

const generated = join(import.meta.dirname, 'generated')
rmSync(generated, { recursive: true, force: true })
mkdirSync(generated)

for (const name of Object.keys(DOCUMENTS) as DocumentName[]) {
  const file = join(generated, `${name}.json`)
  writeFileSync(file, DOCUMENTS[name]())
  for (const variant of VARIANTS) {
    for (const { folder, generate } of GENERATORS) {
      const output = outputFolder(variant, folder)
      mkdirSync(output, { recursive: true })
      await generate({ name, file, output, plugin: variant === 'typed' })
    }
  }
}
