import { execFile } from 'node:child_process'
import { join } from 'node:path'

const ROOT = import.meta.dirname
const outputs = new Map<string, Promise<string>>()

/**
 * Returns the errors of the compiler in a file, or in the files of a folder.
 *
 * @param project the folder of the tsconfig.json, which is compiled once
 * @param path relative to this folder, such as `orm/kysely/`
 */
export async function compileErrors(project: string, path: string): Promise<string[]> {
  const output = outputs.get(project) ?? compile(project)
  outputs.set(project, output)
  return (await output).split('\n').filter((line) => line.startsWith(path))
}

function compile(project: string): Promise<string> {
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  return new Promise((resolve) =>
    execFile(tsc, ['-p', project, '--pretty', 'false'], { cwd: ROOT }, (_, stdout) => resolve(stdout)),
  )
}
