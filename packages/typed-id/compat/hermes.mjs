/*
 * Runs the conformance checks in Hermes, the engine of React Native, without
 * and with a polyfill of Web Crypto. Without the polyfill, errors that name the
 * missing function count as passed.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(
  new URL('../hermes/node_modules/', import.meta.url),
)
const require = createRequire(packages)

const app = transform(`${readFileSync('page.mjs', 'utf8')}
  globalThis.result
    .catch((error) => ({ passed: 0, failed: [String(error)] }))
    .then((result) => print(JSON.stringify(result)))`)
// Replaces the React Native module from which the crypto polyfill reads random
// bytes, because that module runs only on a phone.
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
const polyfill = transform(
  `import '${packages}react-native-get-random-values/index.js'`,
)

const bare = run(app)
const missing = bare.failed.filter((message) =>
  message.includes(
    'missing crypto: expected crypto.getRandomValues, received undefined',
  ),
)
if (missing.length < 4)
  bare.failed.push(`only ${missing.length} checks name the missing function`)
const polyfilled = run(polyfill + app)
console.log(
  JSON.stringify({
    passed: bare.passed + missing.length + polyfilled.passed,
    failed: [
      ...bare.failed.filter((message) => !missing.includes(message)),
      ...polyfilled.failed.map((message) => `with the polyfill, ${message}`),
    ],
  }),
)

function run(code) {
  writeFileSync('hermes.js', `var global = globalThis\n${code}`)
  const bin = `${packages}hermes-engine-cli/linux64-bin/hermes`
  return JSON.parse(execFileSync(bin, ['hermes.js'], { encoding: 'utf8' }))
}

function transform(source) {
  writeFileSync('source.mjs', source)
  const bundle = execFileSync('../tools/node_modules/.bin/esbuild', [
    'source.mjs',
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
  return `${code}\n`
}
