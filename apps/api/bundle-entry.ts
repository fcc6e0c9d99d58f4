/**
 * The `main.js` of the bundle. Checks the version of Node before it loads anything else: better-sqlite3 ends Node 20 with
 * a segmentation fault.
 */
import manifest from './package.json' with { type: 'json' }

const required = manifest.engines.node.replace('>=', '')
const [major = 0, minor = 0] = required.split('.').map(Number)
const [nodeMajor = 0, nodeMinor = 0] = process.versions.node.split('.').map(Number)

if (nodeMajor > major || (nodeMajor === major && nodeMinor >= minor)) {
  await import('./src/main.ts')
} else {
  console.error(`Node.js: expected version ${required} or newer, received ${process.versions.node}`)
  process.exitCode = 1
}
