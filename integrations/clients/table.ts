/** Prints the table of the page on generated clients, or writes it: `node clients/table.ts --write`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTable, replaceSection } from 'testkit/tables.ts'
import { wrongIds } from './compile.ts'
import { GENERATORS, outputFolder, versionOf } from './generators.ts'

const PAGE = join(import.meta.dirname, '../../docs/guide/clients.md')

/** Returns the page as it is, and with a table of what the generators need, measured by running them. */
export async function readPage(): Promise<{ stated: string; measured: string; table: string }> {
  const rows = await Promise.all(
    GENERATORS.map(async ({ package: name, folder, generator }) => {
      const { hook } = await generator()
      const { compile, total } = await wrongIds('plain', folder)
      const needs = packagesOf(folder).map((name) => `${name} ${versionOf(name)}`)
      return [
        `${name} ${versionOf(name)}`,
        hook,
        linesOf(folder),
        needs.join(', ') || '–',
        `${compile} of ${total}`,
      ]
    }),
  )
  const columns = ['generator', 'plugin', 'lines', 'the client imports', 'wrong ids compile without it']
  const table = formatTable({ columns, rows })
  const stated = readFileSync(PAGE, 'utf8')
  return { stated, measured: replaceSection(stated, 'clients', table), table }
}

/** The number of lines in the plugin of a generator, without blank ones. */
export function linesOf(folder: string): number {
  const source = readFileSync(join(import.meta.dirname, folder, 'plugin.ts'), 'utf8')
  return source.split('\n').filter((line) => line.trim()).length
}

/** The packages that the generated client of a generator needs, in addition to typed-id. */
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
