// Installs the packages of the service (210 MB). If the whole repository is
// installed, updates all of its packages (1,108 MB). Works with any version of
// Node, and installs the service's Node. `pnpm start` runs this file in a
// subshell, because a shell keeps using the `node` that the shell found first.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
