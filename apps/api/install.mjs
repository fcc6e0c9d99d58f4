// Installs only the packages and the version of Node that the service needs
// (210 MB). If Vitest is installed, installs the packages of the whole
// repository (1,108 MB), because a smaller installation would remove a
// developer's tools.
//
// `pnpm start` runs this file in a subshell. Otherwise the shell would cache
// the path of the old `node`, and not start the service with the version that
// this file installs.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
