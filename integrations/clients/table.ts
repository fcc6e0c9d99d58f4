/** Prints the table of the page on generated clients. `node clients/table.ts --write` updates the page. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTable, replaceSection } from 'testkit/tables.ts'
import { compileErrors } from '../compile.ts'
import { GENERATORS, outputFolder, type Variant } from './generators.ts'

const PAGE = join(import.meta.dirname, '../../docs/guide/clients.md')

/** Returns the page as it is, and with a new table of what the generators need and write. Runs the generators. */
export async function readPage(): Promise<{ stated: string; measured: string; table: string }> {
  const rows = await Promise.all(
    GENERATORS.map(async ({ package: name, folder, hook }) => {
      const { compile, total } = await wrongIds('plain', folder)
      const needs = packagesOf(folder).map((name) => `${name} ${versionOf(name)}`)
      return [`${name} ${versionOf(name)}`, hook, needs.join(', ') || '–', `${compile} of ${total}`]
    }),
  )
  const columns = ['generator', 'plugin', 'the client imports', 'wrong ids compile without it']
  const table = formatTable({ columns, rows })
  const stated = readFileSync(PAGE, 'utf8')
  return { stated, measured: replaceSection(stated, 'clients', table), table }
}

/** Returns the number of lines in `client.ts` that pass a wrong id, and the number of those that compile. */
export async function wrongIds(
  variant: Variant,
  folder: string,
): Promise<{ total: number; compile: number }> {
  const source = readFileSync(join(import.meta.dirname, folder, 'client.ts'), 'utf8')
  const errors = await clientErrors(variant, `clients/${folder}/client.ts`)
  return {
    total: source.match(/@ts-expect-error/g)?.length ?? 0,
    compile: errors.filter((line) => line.includes("Unused '@ts-expect-error' directive")).length,
  }
}

/** Returns the errors of the compiler. In the variant `plain`, `#generated` is the output without the plugins. */
export const clientErrors = (variant: Variant, path?: string): Promise<string[]> =>
  compileErrors('clients', path, '--customConditions', variant)

/** Returns the installed version of a package. */
function versionOf(name: string): string {
  const file = join(import.meta.dirname, '../node_modules', name, 'package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** Returns the packages that a generated client needs, in addition to typed-id. */
function packagesOf(folder: string): string[] {
  const files = [
    join(import.meta.dirname, folder, 'client.ts'),
    ...globSync(join(outputFolder('typed', folder), '**/*.ts')),
  ]
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import .+ from ["']([^."'#][^"']*)["']/gm)].map((match) =>
      String(match[1]),
    ),
  )
  return [...new Set(names)].filter((name) => name !== 'typed-id').sort()
}

if (import.meta.main) {
  const { measured, table } = await readPage()
  if (process.argv.includes('--write')) writeFileSync(PAGE, measured)
  console.log(table)
}
