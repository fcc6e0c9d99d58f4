import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const WRONG_TYPE = 'wrong type does not compile'
const ROOT = join(import.meta.dirname, '..')

let output: Promise<string> | undefined

/**
 * Returns the errors of the compiler in the folder of an ORM. Its file `wrong-type.ts` marks each wrong id with
 * `@ts-expect-error`, which is an error of its own when the line compiles.
 */
export async function compileErrors(folder: string): Promise<string[]> {
  const marks = readFileSync(join(import.meta.dirname, folder, 'wrong-type.ts'), 'utf8').match(
    /@ts-expect-error/g,
  )
  if ((marks?.length ?? 0) < 3) return [`${folder}/wrong-type.ts marks fewer than three lines`]
  output ??= new Promise((resolve) =>
    execFile(join(ROOT, 'node_modules/.bin/tsc'), ['-p', ROOT, '--pretty', 'false'], (_, stdout) =>
      resolve(stdout),
    ),
  )
  return (await output).split('\n').filter((line) => line.startsWith(`orm/${folder}/`))
}
