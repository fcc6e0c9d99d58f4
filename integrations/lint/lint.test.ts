import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { ESLint } from 'eslint'
import { expect, test } from 'vitest'

const CASES = join(import.meta.dirname, 'cases')
const BIOME = join(import.meta.dirname, '../node_modules/.bin/biome')

const FILE = 'cases.ts'
const LINES = readFileSync(join(CASES, FILE), 'utf8').split('\n')

/**
 * The lines that a rule must reject: the constants in cases.ts that follow a
 * comment.
 */
const REJECTED = LINES.flatMap((line, index) =>
  line.startsWith('export const') &&
  index > LINES.findIndex((other) => other.endsWith('both lint rules reject.'))
    ? [`${FILE}:${index + 1}`]
    : [],
)

/**
 * The configuration that a project adds for Biome. It excludes the file that
 * defines the id types from the rule.
 */
const BIOME_CONFIG = {
  plugins: [{ path: './no-id-casts.grit', includes: ['**', '!**/ids.ts'] }],
}

const linters = { eslint: runEslint, biome: runBiome }

test.each(Object.entries(linters))(
  '%s rejects each cast to an id type, and no other line',
  async (_, run) => {
    expect(REJECTED).toHaveLength(22)
    expect(await run()).toEqual(REJECTED)
  },
)

test('the file that both rules ignore contains a cast', () => {
  expect(readFileSync(join(CASES, 'ids.ts'), 'utf8')).toContain('as UserId')
})

async function runEslint(): Promise<string[]> {
  const eslint = new ESLint({
    overrideConfigFile: join(import.meta.dirname, 'eslint.config.js'),
  })
  const results = await eslint.lintFiles(CASES)
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line }) => `${basename(filePath)}:${line}`),
  )
}

/**
 * Runs Biome on a copy of the cases, so that the configuration of this
 * repository does not apply.
 */
async function runBiome(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'no-id-casts-'))
  try {
    for (const name of ['cases', 'no-id-casts.grit']) {
      cpSync(join(import.meta.dirname, name), join(folder, name), {
        recursive: true,
      })
    }
    writeFileSync(join(folder, 'biome.json'), JSON.stringify(BIOME_CONFIG))
    const args = [
      'lint',
      '--only=plugin',
      '--max-diagnostics=none',
      '--reporter=json',
      'cases',
    ]
    // Ignores the exit code 1, with which Biome reports errors.
    const { stdout } = await promisify(execFile)(BIOME, args, {
      cwd: folder,
    }).catch((failed) => failed)
    const { diagnostics } = JSON.parse(stdout)
    return diagnostics.map(
      ({ location }: Diagnostic) =>
        `${basename(location.path)}:${location.start.line}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Diagnostic {
  location: { path: string; start: { line: number } }
}
