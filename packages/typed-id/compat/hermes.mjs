/*
 * Runs a bundle, transformed by React Native's Babel preset, on Hermes, the
 * engine of React Native. Hermes has no Web Crypto. Without a polyfill of it, a
 * check passes if it needs no random bytes, or if its error names the polyfill.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const isPolyfilled = process.argv[2] === 'polyfilled'
const packages = fileURLToPath(
  new URL('../hermes/node_modules/', import.meta.url),
)
const require = createRequire(packages)

const app = `${readFileSync('page.mjs', 'utf8')}
  globalThis.result
    .catch((error) => ({ passed: 0, failed: [String(error)] }))
    .then((result) => print(JSON.stringify(result)))`
// Replaces the native half of the crypto polyfill, which exists on a phone
// only.
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
const polyfill = `import '${packages}react-native-get-random-values/index.js'`
writeFileSync(
  'hermes.js',
  `var global = globalThis\n${isPolyfilled ? transform('polyfill', polyfill) : ''}${transform('app', app)}`,
)
const output = execFileSync(
  `${packages}hermes-engine-cli/linux64-bin/hermes`,
  ['hermes.js'],
  {
    encoding: 'utf8',
  },
)
const { passed, failed } = JSON.parse(output)
const expected = isPolyfilled
  ? []
  : failed.filter((message) =>
      message.includes(
        'missing crypto: expected crypto.getRandomValues, received undefined',
      ),
    )
if (!isPolyfilled && expected.length < 4)
  failed.push(`only ${expected.length} checks name the missing function`)
console.log(
  JSON.stringify({
    passed: passed + expected.length,
    failed: failed.filter((message) => !expected.includes(message)),
  }),
)

function transform(name, source) {
  const file = `hermes.${name}.js`
  if (existsSync(file)) return readFileSync(file, 'utf8')
  writeFileSync(`hermes.${name}.mjs`, source)
  const bundle = execFileSync('../tools/node_modules/.bin/esbuild', [
    `hermes.${name}.mjs`,
    '--bundle',
    '--format=iife',
    '--log-level=error',
    '--alias:react-native=./react-native.cjs',
    '--define:__DEV__=false',
  ])
  const { code } = require('@babel/core').transformSync(bundle.toString(), {
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
  writeFileSync(file, `${code}\n`)
  return `${code}\n`
}
