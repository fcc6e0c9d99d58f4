import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../jest/node_modules/', import.meta.url))
const { stdout, stderr } = spawnSync(
  process.execPath,
  [
    `${packages}jest/bin/jest.js`,
    '--json',
    '--rootDir=.',
    `--env=${packages}jest-environment-jsdom/build/index.js`,
    'jest.test.cjs',
  ],
  { encoding: 'utf8' },
)
if (!stdout.startsWith('{')) throw new Error(stderr)
const { numPassedTests, testResults } = JSON.parse(stdout)
const failed = testResults.flatMap(({ status, message }) => (status === 'passed' ? [] : [message]))
console.log(JSON.stringify({ passed: numPassedTests, failed }))
