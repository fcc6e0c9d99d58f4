import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Job } from '../job.ts'

export const hook = 'a generator before `typescript`'

const REDOCLY = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')
const PLUGIN = join(import.meta.dirname, 'plugin.ts')

export async function generate({ name, file, output, plugin }: Job): Promise<void> {
  const generators = [...(plugin ? [PLUGIN] : []), 'typescript'].flatMap((name) => ['--generator', name])
  const args = ['generate-client', file, '--output', join(output, `${name}.ts`), ...generators]
  await promisify(execFile)(process.execPath, [REDOCLY, ...args], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
}
