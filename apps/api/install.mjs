// Installs the service's packages and version of Node (210 MB). If a developer
// has installed the whole repository (1,108 MB), which includes Vitest, updates
// all packages. `pnpm start` runs this file in a subshell: otherwise the shell
// would cache the path of an older `node`, and start the service with that
// `node`.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
