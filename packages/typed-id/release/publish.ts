/*
 * Publishes a packed tarball to npm: `node release/publish.ts <tarball>`. It needs no installed package, so a job that may
 * publish runs no code of dependencies. A version that the registry has with the same integrity is skipped.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isPublished } from './owner.ts'

const [tarball = ''] = process.argv.slice(2)
const { name, version } = JSON.parse(
  execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }),
)
const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`

if (await isPublished(name, version, integrity)) {
  console.log(`skipped: ${name}@${version} is published with ${integrity}`)
} else {
  // Only GitHub Actions can sign the provenance, in a job with `permissions: { id-token: write }`.
  const provenance = process.env.GITHUB_ACTIONS ? ['--provenance'] : []
  execFileSync('npm', ['publish', tarball, '--access', 'public', ...provenance], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}
