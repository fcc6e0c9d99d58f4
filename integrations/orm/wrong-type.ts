import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileErrors } from '../compile.ts'

export const WRONG_TYPE = 'wrong type does not compile'

/**
 * Returns the errors of the compiler in the folder of an ORM. Its file `wrong-type.ts` marks each wrong id with
 * `@ts-expect-error`, which is an error itself when the line compiles.
 */
export async function wrongTypeErrors(folder: string): Promise<string[]> {
  const marks = readFileSync(join(import.meta.dirname, folder, 'wrong-type.ts'), 'utf8').match(
    /@ts-expect-error/g,
  )
  if ((marks?.length ?? 0) < 3) return [`${folder}/wrong-type.ts marks fewer than three lines`]
  return compileErrors('.', `orm/${folder}/`)
}
