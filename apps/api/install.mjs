// Installs the packages that `pnpm start` needs, on any version of Node: only
// those of the service (210 MB instead of 1,108), or all of them where the
// tests have installed all. The parentheses in the script `start` keep the
// shell from remembering the machine's Node for the second `node`, the pinned
// one.
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const scope = existsSync('node_modules/vitest')
  ? ''
  : ' --prod --filter . --filter-prod api...'
execSync(`pnpm install --prefer-offline${scope}`, {
  stdio: ['ignore', 'ignore', 'inherit'],
})
