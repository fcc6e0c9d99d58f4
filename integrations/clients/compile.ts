import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputFolder, VARIANTS, type Variant } from './generators.ts'

const MATRIX = join(import.meta.dirname, '..')
const outputs = new Map<Variant, Promise<string>>()

/**
 * Returns the errors of the compiler in the folder of a generator. In the variant `plain`, `#generated` is the output of
 * the generator without its plugin.
 */
export async function compileErrors(variant: Variant, folder: string): Promise<string[]> {
  const output = outputs.get(variant) ?? compile(variant)
  outputs.set(variant, output)
  const folders = [`clients/${folder}/`, `clients/generated/${variant}/${folder}/`]
  return (await output).split('\n').filter((line) => folders.some((folder) => line.startsWith(folder)))
}

function compile(variant: Variant): Promise<string> {
  const args = ['-p', 'clients', '--pretty', 'false', '--customConditions', variant]
  return new Promise((resolve) =>
    execFile(join(MATRIX, 'node_modules/.bin/tsc'), args, { cwd: MATRIX }, (_, stdout) => resolve(stdout)),
  )
}

/** Returns the generated files that the compiler does not check. */
export function uncheckedFiles(folder: string): string[] {
  const files = VARIANTS.flatMap((variant) => globSync(join(outputFolder(variant, folder), '**/*.ts')))
  return files.filter((file) => readFileSync(file, 'utf8').includes('@ts-nocheck'))
}

/** The number of lines in `wrong-type.ts` that pass a wrong id, and how many of them compile. */
export async function wrongIds(
  variant: Variant,
  folder: string,
): Promise<{ total: number; compile: number }> {
  const source = readFileSync(join(import.meta.dirname, folder, 'wrong-type.ts'), 'utf8')
  const errors = await compileErrors(variant, folder)
  return {
    total: source.match(/@ts-expect-error/g)?.length ?? 0,
    compile: errors.filter((line) => line.includes("Unused '@ts-expect-error' directive")).length,
  }
}
