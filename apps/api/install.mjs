// `pnpm start` runs this before the service, on whatever Node the machine has.
// It installs the packages of the service only (210 MB instead of 1,108), or
// brings everything up to date where the tests have installed everything. The
// parentheses in `start` keep the shell from remembering the machine's Node for
// the second `node`, the pinned one.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
