import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from 'testkit/documents.ts'
import { afterAll } from 'vitest'

export const ROOT = fileURLToPath(REPOSITORY)
const folder = mkdtempSync(join(tmpdir(), 'front-end-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The project that the page creates. */
export const PROJECT = join(folder, 'front-end')

const page = readFileSync(join(ROOT, 'docs/service/front-end.md'), 'utf8')

const blocksOf = (language: string) =>
  [
    ...page.matchAll(
      new RegExp(
        `^(?:\`(.+)\`\\n\\n)?\`\`\`${language}\\n([^]*?)^\`\`\``,
        'gm',
      ),
    ),
  ].map(([, file = '', code = '']) => ({ file, code }))

/** Runs a command as a user does, on the machine's own Node. */
export async function run(cwd: string, command: string): Promise<string> {
  const PATH = process.env.PATH?.split(delimiter)
    .filter((path) => !path.startsWith(ROOT))
    .join(delimiter)
  const npm = {
    npm_config_fetch_timeout: '20000',
    npm_config_prefer_offline: 'true',
    npm_config_yes: 'true', // a person would confirm to install create-vite
  }
  const { stdout } = await promisify(execFile)('bash', ['-ec', command], {
    cwd,
    env: { ...process.env, PATH, ...npm },
  }).catch((error) => {
    throw new Error(`${command}\n${error.stdout}${error.stderr}`)
  })
  return stdout
}

/**
 * Creates a project by the commands and the files of the page. The files call
 * the service at `url`.
 */
export async function createFrontEnd(url: string): Promise<void> {
  const [packing = '', creating = ''] = blocksOf('sh').map(({ code }) => code)
  const packs = packing.split('\n').filter((line) => line.endsWith(' pack'))
  await Promise.all(
    packs.map((line) => run(ROOT, `${line} --pack-destination ${folder}`)),
  )
  await run(folder, creating.replaceAll('<clone>', folder))
  for (const { file, code } of blocksOf('tsx?'))
    writeFileSync(
      join(PROJECT, file),
      code.replace('http://127.0.0.1:3000', url),
    )
}
