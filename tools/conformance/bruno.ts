import type { CollectedRequest, Collection } from './request.ts'

/** Formats a collection as Bruno's files, by path. */
export function brunoFiles(title: string, collection: Collection): Map<string, string> {
  const files = new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: title, type: 'collection' }, null, 2)}\n`],
    ['collection.bru', SETUP],
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

/** Sets a number of 13 digits that is another one in each run, for texts that must be unique. */
const SETUP = `script:pre-request {
  if (!bru.getVar("run")) bru.setVar("run", String(Date.now()));
}
`

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
