import { execFile } from 'node:child_process'
import { join } from 'node:path'

const ROOT = import.meta.dirname
const outputs = new Map<string, Promise<string>>()

/**
 * Returns the compiler's errors in all files, or in files whose path starts with `path`, such as `orm/kysely/`.
 *
 * @param project the folder of the tsconfig.json, which is compiled once
 * @param args more arguments for the compiler
 */
export async function compileErrors(project: string, path = '', ...args: string[]): Promise<string[]> {
  const key = [project, ...args].join(' ')
  const output = outputs.get(key) ?? compile(project, args)
  outputs.set(key, output)
  return (await output).split('\n').filter((line) => line !== '' && line.startsWith(path))
}

function compile(project: string, args: string[]): Promise<string> {
  const tsc = join(ROOT, '../node_modules/typescript-7/bin/tsc')
  const command = [tsc, '-p', project, '--checkers', '1', '--pretty', 'false', ...args]
  return new Promise((resolve, reject) =>
    execFile(process.execPath, command, { cwd: ROOT }, (_, stdout, stderr) =>
      stderr ? reject(new Error(stderr)) : resolve(stdout),
    ),
  )
}
