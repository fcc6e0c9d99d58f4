// Installs the service's packages and version of Node (210 MB). If Vitest is
// installed, updates the packages of the whole repository (1,108 MB). `pnpm
// start` runs this file in a subshell: the shell would otherwise cache the path
// of an older `node`, and start the service with it.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
