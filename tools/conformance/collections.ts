/**
 * Writes the requests of a profile into a new folder, in the format of Bruno:
 * `pnpm --filter conformance collection FOLDER a`. A relative FOLDER starts where pnpm was called.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { PROFILES } from 'api/composition/variables.ts'
import { documentFile } from 'api/openapi/documents.ts'
import { type Document, operationsOf } from 'testkit/document.ts'
import { flowsA } from './flows-a.ts'
import { flowsB, setupB } from './flows-b.ts'
import { generalRequests } from './general-requests.ts'
import type { CollectedRequest, Collection } from './request.ts'
import { schemaRequests } from './schema-requests.ts'
import { setupA } from './setup-a.ts'
import { longLists, missingSetup } from './valid-bodies.ts'

export const FLOWS = { a: { setup: setupA, flows: flowsA }, b: { setup: setupB, flows: flowsB } }

/** Returns the requests of a profile: from its OpenAPI document, and handwritten ones that depend on each other. */
export async function createCollection(name: keyof typeof PROFILES): Promise<Collection> {
  const { setup, flows } = FLOWS[name]
  const document: Document = JSON.parse(await readFile(documentFile(name), 'utf8'))
  const operations = operationsOf(document)
  return new Map([
    ['setup', [...setup, ...missingSetup(document, setup)]],
    ['general', generalRequests(operations)],
    ...Object.entries(flows).filter(([folder]) => folder === 'reading' || folder === 'paging'),
    ...operations.map((operation) => [operation.operationId, schemaRequests(document, operation)] as const),
    ...Object.entries(flows).filter(([folder]) => folder !== 'reading' && folder !== 'paging'),
    ['long-lists', longLists(document)],
  ])
}

/** Writes the collection of a profile into a folder, as the files of Bruno. */
export async function writeCollection(name: keyof typeof PROFILES, folder: string): Promise<void> {
  const document: Document = JSON.parse(await readFile(documentFile(name), 'utf8'))
  const title = `User management, profile ${name.toUpperCase()}`
  const files = brunoFiles(title, await createCollection(name), SETUP + responseTest(document))
  for (const [path, text] of files) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

/** Formats a collection as Bruno's files, by path. */
function brunoFiles(title: string, collection: Collection, scripts: string): Map<string, string> {
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: title, type: 'collection' }, null, 2)}\n`],
    ['collection.bru', scripts],
    ['environments/local.bru', block('vars', 'baseUrl: http://127.0.0.1:3000')],
  ])
  let folder = 0
  for (const [name, requests] of collection) {
    folder += 1
    const path = `${String(folder).padStart(2, '0')}-${name}`
    files.set(`${path}/folder.bru`, block('meta', `name: ${name}`, `seq: ${folder}`))
    for (const [n, request] of requests.entries()) {
      const file = `${path}/${String(n + 1).padStart(3, '0')}-${fileName(request.name)}.bru`
      files.set(file, formatRequest(request, n + 1))
    }
  }
  return files
}

/** Sets a number of 13 digits that differs in each run, for values that must be unique. */
const SETUP = `script:pre-request {
  if (!bru.getVar("run")) bru.setVar("run", String(Date.now()));
}
`

/**
 * Compares every response of an operation with its declaration: the content type, the schema and, for an extension, the
 * headers. No response may contain an undeclared field, a password or a password hash, no list may contain a record
 * twice, and only a full page may have a link to the next one.
 */
function responseTest(document: Document): string {
  const operations = operationsOf(document).map(({ method, path, responses }) => ({
    method,
    path: `${path.replace(/\{\w+\}/g, '[^/]+')}$`,
    schemas: Object.fromEntries(
      Object.entries(responses).map(([code, { content }]) => [code, content?.['application/json'].schema]),
    ),
  }))
  const headers = Object.keys(document.components.headers).map((name) => name.toLowerCase())
  // A response with a field that is not declared could contain what its client must not see.
  const closed = (value: unknown) =>
    JSON.stringify(value, (_, part) => (part?.properties ? { ...part, additionalProperties: false } : part))
  return `
tests {
  const operations = ${closed(operations)};
  const components = ${closed({ schemas: document.components.schemas })};
  const path = req.getUrl().split("?")[0];
  const operation = operations.find((one) => one.method === req.getMethod() && new RegExp(one.path).test(path));
  if (operation) test("the response has the declared form", () => {
    const body = res.getBody();
    if (req.getTags().includes("extension")) expect(res.getHeaders()).to.include.keys(${JSON.stringify(headers)});
    if (res.getStatus() === 204) return;
    expect(res.getHeader("content-type")).to.match(/^application\\/json\\b/);
    expect(JSON.stringify(body)).not.to.match(/"[^"]*(password|hash)[^"]*":|argon2/i);
    const schema = { components, ...operation.schemas[res.getStatus()] };
    // Without \`meta\`, which takes half of the time of the comparison, the schema itself is not validated.
    expect(body).to.have.jsonSchema(schema, { strict: false, validateFormats: false, validateSchema: false, meta: false });
    if (Array.isArray(body)) expect(new Set(body.map((item) => item.id)).size).to.equal(body.length);
    if (res.getHeader("link")) expect(req.getUrl()).to.match(new RegExp("[?&]limit=" + body.length + "(&|$)"));
  });
}
`
}

function formatRequest(request: CollectedRequest, seq: number): string {
  const { name, method, path, body, headers, assertions, sets, script, isExtension } = request
  const kind = body === undefined ? 'none' : 'json' in body ? 'json' : 'text'
  const allHeaders = { ...(kind === 'text' && { 'content-type': 'application/json' }), ...headers }
  const tags = isExtension ? ['tags: [', '  extension', ']'] : []
  const content = body === undefined ? '' : 'json' in body ? JSON.stringify(body.json) : body.text
  const lines = (values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([key, value]) => `${key}: ${value}`)
  const blocks = [
    block('meta', `name: ${name.replaceAll('"', "'")}`, 'type: http', `seq: ${seq}`, ...tags),
    block(method.toLowerCase(), `url: {{baseUrl}}${path}`, `body: ${kind}`, 'auth: none'),
    Object.keys(allHeaders).length > 0 && block('headers', ...lines(allHeaders)),
    content && block(`body:${kind}`, content),
    sets && block('vars:post-response', ...lines(sets)),
    block('assert', ...assertions.map(([expression, expected]) => `${expression}: ${expected}`)),
    script && block('script:pre-request', ...script.split('\n')),
    block('settings', 'encodeUrl: false'),
  ]
  return blocks.filter((part) => typeof part === 'string' && part !== '').join('\n')
}

const block = (name: string, ...lines: string[]) =>
  `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`

const fileName = (name: string) =>
  name
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

if (import.meta.main) {
  const [folder, profile, ...more] = process.argv.slice(2)
  if (folder === undefined || (profile !== 'a' && profile !== 'b') || more.length > 0) {
    console.error('expected a folder and a profile, a or b')
    process.exit(2)
  }
  const path = resolve(process.env.INIT_CWD ?? '.', folder)
  if (existsSync(path)) {
    console.error(`expected a new folder, but ${path} exists`)
    process.exit(2)
  }
  await writeCollection(profile, path)
}
