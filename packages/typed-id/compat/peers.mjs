/*
 * Versions of optional peers: `peers.mjs zod@3.23 kysely@0.29`. npm installs them beside the tarball, without
 * `--legacy-peer-deps`, so a peer range that excludes one fails here. Then the cases of the core and of the subpaths of
 * the peers run. Before zod 3.25, which lacks `zod/v4`, that import must fail with the name of what is missing.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { conformance } from './conformance.mjs'
import { vectors } from './vectors.mjs'

const peers = process.argv.slice(2)
const project = resolve(`../peers/${peers.join('+')}`)
mkdirSync(project, { recursive: true })
writeFileSync(`${project}/package.json`, '{ "private": true, "type": "module" }\n')
const packed = 'packed/package' // see release/pack.ts
const tarball = resolve(
  packed,
  readdirSync(packed).find((file) => file.endsWith('.tgz')),
)
const options = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
execFileSync('npm', ['install', ...options, ...peers, tarball], {
  cwd: project,
  stdio: ['ignore', 'ignore', 'pipe'],
})

writeFileSync(
  `${project}/load.mjs`,
  `export const load = (subpath) => import('typed-id' + subpath).catch((error) => error)`,
)
const { load } = await import(pathToFileURL(`${project}/load.mjs`).href)
const require = createRequire(`${project}/load.mjs`)
const library = { index: await load(''), opaque: await load('/opaque') }
for (const peer of peers) {
  const [name] = /prisma|[a-z]+/.exec(peer)
  library[name] = await load(`/${name}`)
}
if (peers.some((peer) => /^zod@3\.([0-9]|1[0-9]|2[0-4])\b/.test(peer))) {
  const messages = [library.zod.message, catchMessage(() => require('typed-id/zod'))]
  delete library.zod
  const result = await conformance(library, vectors)
  for (const message of messages)
    if (!/Package subpath '\.\/v4' is not defined .*zod.package\.json/.test(message))
      result.failed.push(message)
  console.log(JSON.stringify(result))
} else console.log(JSON.stringify(await conformance(library, vectors)))

function catchMessage(action) {
  try {
    action()
    return 'the import did not fail'
  } catch (error) {
    return error.message
  }
}
