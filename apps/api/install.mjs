// Installs the packages of the service (210 MB), including its version of Node.
// If the whole repository is installed, updates all of its packages (1,108 MB).
// `pnpm start` runs this file in a subshell, so that the shell does not cache
// the path of an older `node` and run the service with that version.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
