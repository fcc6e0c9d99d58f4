import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DOCUMENTS, type DocumentName } from '../documents.ts'

const REDOCLY = join(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js')

test.each(Object.keys(DOCUMENTS) as DocumentName[])(
  'the ids in %s keep their keys in `redocly split` and `redocly bundle`',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'redocly-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [REDOCLY, ...args], {
        cwd: folder,
        stdio: 'pipe',
        // Without NODE_ENV: with the value `test`, `split` writes no files.
        env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off' },
      })
    const file = join(import.meta.dirname, '../generated', `${name}.json`)
    run('split', file, '--outDir', 'parts')
    run('bundle', 'parts/openapi.json', '--output', 'bundled.json')
    const { paths, components } = JSON.parse(DOCUMENTS[name]())
    const bundled = JSON.parse(readFileSync(join(folder, 'bundled.json'), 'utf8'))
    expect(bundled.paths).toEqual(paths)
    expect(bundled.components.schemas).toEqual(components.schemas)
  },
)
