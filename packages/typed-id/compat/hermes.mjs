/*
 * React Native's engine: a bundle, transformed by React Native's Babel preset, on Hermes. Hermes has no Web Crypto.
 * Without the polyfill, a case passes if it needs no random bytes, or if its error names the polyfill. There is no
 * crypto.subtle in React Native, so `typed-id/name` is left out.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const isPolyfilled = process.argv[2] === 'polyfilled'
const packages = fileURLToPath(new URL('../hermes/node_modules/', import.meta.url))
const require = createRequire(packages)

const app = readFileSync('page.mjs', 'utf8')
  .replace(/^.*typed-id\/name.*$/m, '')
  .replace(/\bname, /, '')
  .replace(/globalThis\.result = await run\(\)/, 'run().then((result) => print(JSON.stringify(result)))')
const polyfill = `import '${packages}react-native-get-random-values/index.js'\n`
writeFileSync('hermes.in.mjs', (isPolyfilled ? polyfill : '') + app)
// Stands for the native half of the polyfill, which exists on a phone only.
writeFileSync(
  'react-native.cjs',
  `const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const getRandomBase64 = (length) => {
    let text = ''
    for (let i = 0; i < (length * 4) / 3; i++) text += digits[Math.floor(Math.random() * 64)]
    return text.padEnd(Math.ceil(length / 3) * 4, '=')
  }
  exports.TurboModuleRegistry = { getEnforcing: () => ({ getRandomBase64 }) }`,
)
execFileSync('../tools/node_modules/.bin/esbuild', [
  'hermes.in.mjs',
  '--bundle',
  '--format=iife',
  '--outfile=hermes.bundle.js',
  '--log-level=error',
  '--alias:react-native=./react-native.cjs',
  '--define:__DEV__=false',
])
const { code } = require('@babel/core').transformSync(readFileSync('hermes.bundle.js', 'utf8'), {
  filename: 'bundle.js',
  babelrc: false,
  configFile: false,
  compact: false,
  sourceType: 'script',
  presets: [
    [
      require.resolve('@react-native/babel-preset'),
      { disableImportExportTransform: true, enableBabelRuntime: false },
    ],
  ],
})
writeFileSync('hermes.js', `var global = globalThis\n${code}`)
const output = execFileSync(`${packages}hermes-engine-cli/linux64-bin/hermes`, ['hermes.js'], {
  encoding: 'utf8',
})
const { passed, failed } = JSON.parse(output)
const expected = isPolyfilled
  ? []
  : failed.filter((message) =>
      message.includes('missing crypto: expected Web Crypto (react-native-get-random-values)'),
    )
if (!isPolyfilled && expected.length < 10) failed.push(`only ${expected.length} cases name the polyfill`)
console.log(
  JSON.stringify({
    passed: passed + expected.length,
    failed: failed.filter((message) => !expected.includes(message)),
  }),
)
