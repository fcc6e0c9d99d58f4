// Installs the packages of the service (210 MB), or of the whole repository
// (1,108 MB) if they were installed before. Works with any version of Node. The
// script `start` calls this in parentheses, a subshell. Otherwise its shell
// would remember the path of the machine's `node`, and run that `node` instead
// of the one that this program installs.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
