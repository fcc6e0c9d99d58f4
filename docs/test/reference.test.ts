import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operationsOf } from 'testkit/document.ts'
import { SUBPATHS } from 'typed-id/internal/subpaths.ts'
import { describe, expect, test } from 'vitest'
import { MAIN_PAGES } from '../.vitepress/split-reference.ts'
import { createPage, readDocument, TITLES } from '../openapi/page.ts'
import { describe as describeSchema } from '../openapi/schemas.ts'

/* Needs the pages that `pnpm docs:build` generates. */
const REFERENCE = fileURLToPath(new URL('../reference/', import.meta.url))
const SOURCES = fileURLToPath(new URL('../../packages/typed-id/src/', import.meta.url))
const read = (file: string) => readFileSync(REFERENCE + file, 'utf8')

describe('the library', () => {
  test.each(SUBPATHS)('$specifier: the page has every export', async ({ key, source }) => {
    const main = key === '.' ? MAIN_PAGES : [`typed-id${key.slice(1)}`]
    const page = main.map((file) => read(`library/${file}.md`)).join('\n')
    const exports = await import(new URL(`../../packages/typed-id/${source}`, import.meta.url).href)
    for (const name of Object.keys(exports))
      expect(page.replaceAll('\\_', '_'), name).toMatch(new RegExp(`^###? (?:.+ )?${name}\\b`, 'm'))
  })

  test('the pages have the examples of all docstrings', () => {
    const pages = globSync('library/**/*.md', { cwd: REFERENCE }).map(read).join('\n')
    const sources = globSync('**/*.ts', { cwd: SOURCES }).map((file) => readFileSync(SOURCES + file, 'utf8'))
    const examples = [...sources.join('\n').matchAll(/@example(?: (.+)|\n +\* (.+))/g)].map(
      ([, a, b]) => a ?? b,
    )
    expect(examples.length).toBeGreaterThan(50)
    for (const example of examples) expect(pages).toContain(example)
  })
})

describe.each(Object.keys(TITLES))('the service, profile %s', (profile) => {
  const document = readDocument(profile)
  const page = createPage(document, 'title')
  const operations = operationsOf(document).map((operation) => ({
    heading: `### \`${operation.method} ${operation.path}\``,
    operation,
  }))
  const sectionOf = (heading: string) => page.split(`${heading}\n`)[1]?.split(/^##/m)[0] ?? ''

  test.each(operations)('$heading: parameters, body, responses and an example', ({ heading, operation }) => {
    const section = sectionOf(heading)
    const { summary, parameters, requestBody, responses } = operation
    expect(section).toContain(summary)
    for (const { name, in: place } of parameters)
      expect(section).toMatch(new RegExp(`\`${name}\` +\\| ${place} `))
    const schemas = [requestBody, ...Object.values(responses)].flatMap((part) =>
      part?.content ? [part.content['application/json'].schema] : [],
    )
    for (const { $ref, items } of schemas) {
      const name = ($ref ?? items?.$ref)?.split('/').at(-1) as string
      expect(section).toContain(`[${name}](#${name.toLowerCase()})`)
      expect(sectionOf(`### ${name}`), name).toMatch(/^\| property[\s\S]+```json/m)
    }
    for (const [status, { description }] of Object.entries(responses))
      expect(section).toMatch(new RegExp(`\`${status}\` +\\| .+ \\| ${description}`))
    const hasBody = Object.entries(responses).some(([status, { content }]) => status < '3' && content)
    expect(section.match(/```json/g)?.length ?? 0).toBe(Number(hasBody) + Number(requestBody !== undefined))
  })

  test('every response has the headers of which the page says so', () => {
    const common = Object.keys(document.components.headers)
    expect(page).toContain(`Every response has \`${common.join('` and `')}\`.`)
    const responses = operations.flatMap(({ operation }) => Object.values(operation.responses))
    for (const { headers } of responses)
      expect(Object.keys(headers ?? {})).toEqual(expect.arrayContaining(common))
  })
})

test('a schema with a keyword that the page cannot describe is an error', () => {
  expect(describeSchema({ type: 'integer', minimum: 1, default: 5 })).toBe('at least 1; by default `5`')
  expect(() => describeSchema({ type: 'integer', multipleOf: 5 } as object)).toThrow(
    'no description of the keyword multipleOf',
  )
})
