/** Runs every generator on every document, with and without its plugin: `node clients/generate.ts`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOCUMENTS, type DocumentName, ID_DOCUMENTS, Ids } from './documents.ts'
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

// One line per generator, document and schema function. It compiles if the client has the type of `cases.ts`.
const cells = GENERATORS.flatMap(({ folder, ids }) =>
  ID_DOCUMENTS.flatMap((document) => {
    const type = ids?.(document) ?? `import('#generated/${folder}/${document}.ts').Ids`
    return Object.keys(Ids.shape).map((name) => `Same<(${type})['${name}'], Ids['${name}']>`)
  }),
)
const lines = cells.map((cell, n) => `export const cell${n}: ${cell} = true`)
writeFileSync(
  join(generated, 'cells.ts'),
  `import type { Ids, Same } from '../cases.ts'\n${lines.join('\n')}\n`,
)
