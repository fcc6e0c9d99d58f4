// Installs the packages of the service (210 MB), with the version of Node that
// runs the service. If the whole repository is installed, updates all of its
// packages (1,108 MB). The parentheses around this command in `pnpm start` keep
// the shell from caching the path of the old `node`.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
