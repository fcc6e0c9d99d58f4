/*
 * Describes the OpenAPI documents of the service in Markdown, which the search of the site can index. Writes
 * docs/reference/index.md, and a page for each document.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Document, type Operation, operationsOf, type Schema } from 'testkit/document.ts'
import { formatTable } from 'testkit/tables.ts'
import { describe, describeProperties, escapeMarkdown, findIdentifiers, typeOf } from './schemas.ts'

/** Returns the page of a profile. */
export function createPage(document: Document, title: string): string {
  const { info, tags, components } = document
  const parts = [
    `# ${title}`,
    info.description,
    'The service has this reference as an OpenAPI document at `/openapi.json`, and a page to try it out at `/docs`.',
    ...tags.flatMap(({ name, description }) => [
      `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
      `${description}.`,
      ...operationsOf(document)
        .filter((operation) => operation.tags.includes(name))
        .flatMap((operation) => describeOperation(operation, document)),
    ]),
    '## Response headers',
    `Every response has ${Object.keys(components.headers).map(code).join(' and ')}.`,
    describeHeaders(document),
    '## Identifiers',
    formatTable({
      columns: ['type', 'pattern'],
      rows: [...findIdentifiers(document)].map(([pattern, name]) => [name, code(pattern)]).sort(),
    }),
    '## Schemas',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [
      `### ${name}`,
      describeProperties(schema),
      toBlock(schema.example),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

function describeOperation(operation: Operation, document: Document): string[] {
  const { method, path, summary, description = '', parameters, requestBody, responses } = operation
  const body = requestBody?.content['application/json'].schema
  const [status = '', success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const result = success?.content?.['application/json'].schema
  return [
    `### ${code(`${method} ${path}`)}`,
    `${escapeMarkdown(summary)}. ${escapeMarkdown(description)}`.trim(),
    ...(parameters.length > 0 ? [describeParameters(parameters)] : []),
    ...(body ? [`The body is a ${typeOf(body)}:`, toBlock(exampleOf(body, document))] : []),
    describeResponses(responses),
    ...(result ? [`The body of ${code(status)}:`, toBlock(exampleOf(result, document))] : []),
  ]
}

function describeParameters(parameters: Operation['parameters']): string {
  return formatTable({
    columns: ['parameter', 'in', 'type', 'required', 'description'],
    rows: parameters.map(({ name, in: place, required, schema }) => [
      code(name),
      place,
      typeOf(schema),
      required ? 'yes' : 'no',
      describe(schema),
    ]),
  })
}

function describeResponses(responses: Operation['responses']): string {
  return formatTable({
    columns: ['status', 'body', 'headers', 'description'],
    rows: Object.entries(responses).map(([status, { description, headers, content }]) => [
      code(status),
      content ? typeOf(content['application/json'].schema) : 'none',
      ownHeaders(headers)
        .map(([name]) => code(name))
        .join(', '),
      escapeMarkdown(description),
    ]),
  })
}

/** Returns the headers that are specific to a response. The document describes common headers by a `$ref`. */
const ownHeaders = (headers: Operation['responses'][string]['headers'] = {}) =>
  Object.entries(headers).filter(([, { $ref }]) => !$ref)

/** Returns a table of all headers, with the first example of each. */
function describeHeaders(document: Document): string {
  const headers = operationsOf(document)
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap((response) => ownHeaders(response.headers))
  const all = new Map([...headers.reverse(), ...Object.entries(document.components.headers)])
  return formatTable({
    columns: ['header', 'description', 'example'],
    rows: [...all].map(([name, { description = '', schema }]) => [
      code(name),
      escapeMarkdown(description),
      code(String(schema?.example)),
    ]),
  })
}

/** Returns the example of a schema. The example of an array has one item. */
function exampleOf({ $ref, items, example }: Schema, document: Document): unknown {
  if (items) return [exampleOf(items, document)]
  return $ref ? document.components.schemas[$ref.split('/').at(-1) as string]?.example : example
}

function toBlock(value: unknown): string {
  if (value === undefined) throw new Error('a schema has no example')
  return `\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\``
}

const code = (text: string) => `\`${text}\``

/** The title of the page of each profile. */
export const TITLES = { a: 'API of the service', b: 'API of the service, simplified' }

/** Returns the document that the service serves at /openapi.json in a profile, `a` or `b`. */
export const readDocument = (profile: string): Document =>
  JSON.parse(readFileSync(new URL(`../../apps/api/openapi/profile-${profile}.json`, import.meta.url), 'utf8'))

if (import.meta.main) {
  const folder = new URL('../reference/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  const links = ['[API of the library](library/index.md): every export of every subpath']
  for (const [profile, title] of Object.entries(TITLES)) {
    writeFileSync(new URL(`service-${profile}.md`, folder), createPage(readDocument(profile), title))
    links.push(`[${title}](service-${profile}.md): the endpoints of profile ${profile.toUpperCase()}`)
  }
  const list = links.map((link) => `- ${link}\n`).join('')
  writeFileSync(new URL('index.md', folder), `# Reference\n\nGenerated from the sources.\n\n${list}`)
}
