import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PAGE } from './open-page.ts'

const ROOT = join(import.meta.dirname, '../../..')
const ASSETS = 'out/github'

test('a release has the page of the site as typed-id-inspector.html, with its checksum', () => {
  const workflow = readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')
  const commands = /name: Add the inspector.*\n +run: \|\n((?: {10}.*\n)+)/.exec(workflow)?.[1] ?? ''
  expect(workflow).toMatch(/path: out\n[\s\S]+gh release create .* github\/\*/)

  const folder = mkdtempSync(join(tmpdir(), 'typed-id-release-'))
  try {
    mkdirSync(join(folder, ASSETS), { recursive: true })
    symlinkSync(join(ROOT, 'apps'), join(folder, 'apps'))
    execFileSync('bash', ['-euc', commands], { cwd: folder })
    const file = readFileSync(join(folder, ASSETS, 'typed-id-inspector.html'))
    expect(file.equals(readFileSync(PAGE))).toBe(true)
    execFileSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: join(folder, ASSETS) })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
