import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = import.meta.dirname

/*
 * Recipes pass the ids that they receive to functions that accept the id of a user only. Wrong ids are marked with
 * `@ts-expect-error`, which is itself an error if the line compiles. `clients` has its own tsconfig.json.
 */
test.each(['.', 'clients', 'frameworks/graphql'])(
  'everything in %s compiles, and no marked line does',
  async (project) => {
    expect(await compileErrors(project)).toEqual([])
  },
)

function compileErrors(project: string): Promise<string[]> {
  const tsc = join(ROOT, '../node_modules/typescript-7/bin/tsc')
  const command = [tsc, '-p', project, '--checkers', '1', '--pretty', 'false']
  return new Promise((resolve, reject) =>
    execFile(process.execPath, command, { cwd: ROOT }, (_, stdout, stderr) =>
      stderr
        ? reject(new Error(stderr))
        : resolve(stdout.split('\n').filter(Boolean)),
    ),
  )
}
