import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { SUBPATHS } from '../../subpaths.ts'

const readText = (path: string) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const consumer = readText('compat/consumer.ts')

/**
 * The exports of each subpath in the table of the README: `| \`typed-id/codec\`
 * | \`idCodec\` |`.
 */
const documented = new Map(
  [
    ...readText('README.md').matchAll(/^\| `(typed-id[^`]*)` +\| (.+?) +\|$/gm),
  ].map(([, specifier, names]) => [
    specifier,
    [...String(names).matchAll(/`(\w+)`/g)].map(([, name]) => name),
  ]),
)

describe.each(SUBPATHS)('the subpath $specifier', ({ specifier, name }) => {
  test('is compiled by the consumer of the compat run', () => {
    expect(consumer).toContain(`from '${specifier}'`)
  })

  test('is in the README with each of its exports', async () => {
    const exports = Object.keys(await import(`../../src/${name}.ts`))
    expect(
      documented.get(specifier),
      `the README's table of imports lacks ${specifier} or an export of it`,
    ).toEqual(expect.arrayContaining(exports))
  })
})

test('the published package exports the built files of every subpath, and the test vectors', () => {
  const {
    './vectors.json': vectors,
    './package.json': own,
    ...exports
  } = manifest.publishConfig.exports
  expect([vectors, own]).toEqual(['./dist/vectors.json', './package.json'])
  const built = SUBPATHS.map(({ key, name }) => [
    key,
    [`./dist/${name}.cjs`, `./dist/${name}.js`],
  ])
  const files = Object.entries(exports).map(
    ([key, { import: esm, require: cjs }]) => [
      key,
      [cjs, esm].map((file) =>
        typeof file === 'string' ? file : file.default,
      ),
    ],
  )
  expect(Object.fromEntries(files)).toEqual(Object.fromEntries(built))
})
