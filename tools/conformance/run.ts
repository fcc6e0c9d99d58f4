/**
 * Runs the collection of each profile against a new service with an empty database, without and with opaque ids:
 * `pnpm conformance`. To test another implementation, run `bru run -r --sandbox developer --env-var baseUrl=URL` in a
 * folder that `pnpm --filter conformance collection` has written.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROFILES } from 'api/composition/variables.ts'
import { startService } from 'testkit/process.ts'
import { writeCollection } from './collections.ts'

/**
 * Runs Bruno, which is not a dependency because it has 275 MB. The default sandbox takes ten times as long. Without
 * `--insecure`, which has no effect on plain HTTP, Bruno reads all certificates of the system for each request.
 */
const BRUNO = ['dlx', '@usebruno/cli@4.1.0', 'run', '-r', '--sandbox', 'developer', '--insecure', '--noproxy']

for (const profile of Object.keys(PROFILES) as (keyof typeof PROFILES)[]) {
  for (const OPAQUE_IDS of ['', '1:0f1e2d3c4b5a69788796a5b4c3d2e1f0']) {
    const settings = { PROFILE: profile, DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'info', OPAQUE_IDS }
    const service = await startService(settings)
    try {
      await runCollection(profile, service.url, OPAQUE_IDS && ' with opaque ids')
    } finally {
      await service.stop()
    }
  }
}

async function runCollection(profile: keyof typeof PROFILES, url: string, setting: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'api-collection-'))
  const requests = join(folder, 'requests')
  await writeCollection(profile, requests)
  const report = join(folder, 'report.json')
  const args = [...BRUNO, '--env-var', `baseUrl=${url}`, '--reporter-json', report]
  const child = spawn('pnpm', args, { cwd: requests, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  const [{ summary }] = JSON.parse(await readFile(report, 'utf8').catch(() => '[{}]'))
  await rm(folder, { recursive: true })
  if (code !== 0 || summary === undefined) {
    console.error(output)
    process.exitCode = 1
  }
  const { passedRequests, totalRequests, passedAssertions, totalAssertions } = summary ?? {}
  console.log(
    `profile ${profile.toUpperCase()}${setting}: ${passedRequests} of ${totalRequests} requests, ${passedAssertions} of ${totalAssertions} assertions`,
  )
}
