import { type Document, type Operation, resolved, type Schema } from 'testkit/document.ts'
import { invalidIds, unknownId } from './general-requests.ts'
import { type CollectedRequest, equals, fails, rejects, status } from './request.ts'
import { existing, validBodies } from './valid-bodies.ts'

/** A value of each JSON type, which requests send where another type is expected. */
const VALUES: Record<string, unknown> = {
  string: 'text',
  number: 1.5,
  boolean: true,
  object: {},
  array: [],
}

/** Returns requests from the declaration of one operation: valid requests, and one for each rule it can break. */
export function schemaRequests(document: Document, operation: Operation): CollectedRequest[] {
  const { method, path, parameters, requestBody, responses } = operation
  const success = Number(Object.keys(responses).find((code) => code.startsWith('2')))
  const schema = resolved(document, requestBody?.content['application/json'].schema ?? {})
  const texts = new Map(
    Object.entries(responses).flatMap(([code, { content }]) =>
      Object.entries(content?.['application/json'].examples ?? {}).map(
        ([name, example]) => [name, fails(Number(code), example.value.detail)] as const,
      ),
    ),
  )
  const valid = validBodies(document, operation)
  const target = (values: Record<string, string> = {}) =>
    path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? existing(prefixOf(operation, name)))
  const requests: CollectedRequest[] = []
  const add = (name: string, request: Partial<CollectedRequest>) =>
    requests.push({
      name,
      method,
      path: target(),
      ...(schema.properties && { body: { json: valid() } }),
      assertions: [],
      ...request,
    })

  for (const { in: location, name, schema: parameter } of parameters) {
    const at = (value: string) =>
      location === 'path' ? target({ [name]: value }) : `${path}?${name}=${value}`
    const prefix = parameter['x-typed-id']?.prefix
    if (prefix === undefined) continue
    for (const [reason, text] of invalidIds(prefix))
      add(`rejects ${reason} as ${name}`, {
        path: at(text),
        assertions: rejects(location, name),
        ...(name === 'after' && { isExtension: true }),
      })
    const notFound =
      texts.get(`${name.replace(/_?id$/, '') || prefix}_not_found`) ?? texts.get(`${prefix}_not_found`)
    if (location === 'path' && notFound)
      add(`reports an unknown ${prefix}`, { path: at(unknownId(prefix)), assertions: notFound })
  }

  const otherOrigin = texts.get('other_origin')
  if (otherOrigin)
    add('rejects a request of a page of another site', {
      headers: { 'sec-fetch-site': 'cross-site' },
      assertions: otherOrigin,
      isExtension: true,
    })

  if (schema.properties) {
    add('rejects a body that is no JSON', { body: { text: '{"name":' }, assertions: rejects('body') })
    add('rejects an empty body', { body: { text: '' }, assertions: rejects('body') })
    for (const json of [[], 'text', 42, null])
      add(`rejects ${JSON.stringify(json)} as the body`, { body: { json }, assertions: rejects('body') })
    const missing = (schema.required ?? []).map((name: string) => `body.${name}`)
    if (missing.length > 1)
      add('reports every missing field', {
        body: { json: {} },
        assertions: [
          status(422),
          ['res.body.detail.map((item) => item.loc.join(".")).sort().join()', `eq ${missing.sort().join()}`],
          ['Object.keys(res.body.detail[0]).sort().join()', 'eq loc,msg,type'],
        ],
        isExtension: true,
      })
    add('ignores an unknown field', {
      body: { json: valid({ unknown: 1 }) },
      assertions: [status(success)],
      isExtension: true,
    })
    add('does not accept an id from the client', {
      body: { json: valid({ id: unknownId('team') }) },
      assertions: [status(success), ['res.body.id', `neq ${unknownId('team')}`]],
    })
    add('rejects a compressed body', {
      headers: { 'content-encoding': 'gzip' },
      assertions: texts.get('unsupported_encoding') ?? [],
      isExtension: true,
    })
    add('rejects a body above 1 MiB', {
      script: 'req.setBody({ name: "x".repeat(1024 * 1024) })',
      assertions: texts.get('too_large') ?? [],
      isExtension: true,
    })
    for (const [name, field] of Object.entries<Schema>(schema.properties)) {
      for (const request of fieldRequests(name, field)) add(...request)
    }
  }
  return requests

  /** Yields requests that differ from a valid request in one field. */
  function* fieldRequests(name: string, field: Schema): Generator<[string, Partial<CollectedRequest>]> {
    const types: string[] = [field.type].flat()
    const echoes = success !== 204 && !field.writeOnly && !field['x-typed-id'] && field.type !== 'integer'
    const invalid = { assertions: rejects('body', name) }
    const send = (value: unknown) => ({ body: { json: valid({ [name]: value }) } })
    const accepted = (value: unknown) => ({
      ...send(value),
      assertions: [status(success), ...(echoes ? [equals(name, String(value))] : [])],
    })
    if (schema.required?.includes(name)) {
      const { [name]: _, ...rest } = valid()
      yield [`rejects a body without ${name}`, { body: { json: rest }, ...invalid }]
    }
    if (types.includes('null')) {
      const { [name]: _, ...rest } = valid()
      yield [`accepts null as ${name}`, { ...send(null), assertions: [status(success)] }]
      yield [`accepts a body without ${name}`, { body: { json: rest }, assertions: [status(success)] }]
    } else yield [`rejects null as ${name}`, { ...send(null), ...invalid }]
    for (const [type, value] of Object.entries(VALUES))
      if (!types.includes(type))
        yield [
          `rejects ${JSON.stringify(value)} as ${name}`,
          {
            ...send(value),
            ...invalid,
            ...(field.type === 'integer' && type === 'boolean' && { isExtension: true }),
          },
        ]
    const max = field.maxLength
    if (max !== undefined) {
      const fill = (length: number, letter = 'x') =>
        field.format === 'idn-email' ? longEmail(length) : `{{run}}${letter.repeat(length - RUN_LENGTH)}`
      yield [
        `accepts ${max} characters as ${name}`,
        { ...accepted(fill(max)), ...(field.format && { isExtension: true }) },
      ]
      yield [`rejects ${max + 1} characters as ${name}`, { ...send(fill(max + 1)), ...invalid }]
      if (!field.format) {
        yield [`counts code points in ${name}`, { ...accepted(fill(max, '😀')), isExtension: true }]
        yield [
          `stores other scripts and quotes in ${name}`,
          accepted(`Zoë O'Hara 李小龍 {{run}}-${name}`.slice(0, max)),
        ]
        yield [`rejects NUL in ${name}`, { ...send('a\0b'), ...invalid, isExtension: true }]
      }
    }
    if (field.minLength) yield [`rejects an empty ${name}`, { ...send(''), ...invalid }]
    if (field.format === 'idn-email')
      for (const text of [
        'text',
        'a@',
        '@example.com',
        'a@b@example.com',
        'a b@example.com',
        'a@example..com',
        '.a@example.com',
      ])
        yield [`rejects ${JSON.stringify(text)} as ${name}`, { ...send(text), ...invalid }]
    if (field.format === 'date-time')
      for (const value of ['text', '', '2026-11-23', '2026-02-30T00:00:00Z', '2026-11-23T12:00:00'])
        yield [`rejects ${JSON.stringify(value)} as ${name}`, { ...send(value), ...invalid }]
    if (field.type === 'integer') {
      for (const value of [0, -1, 9007199254740991]) yield [`accepts ${value} as ${name}`, accepted(value)]
      yield [`rejects a text with digits as ${name}`, { ...send('1'), ...invalid, isExtension: true }]
      yield [`rejects 2^53 as ${name}`, { ...send(2 ** 53), ...invalid, isExtension: true }]
    }
    const prefix = field['x-typed-id']?.prefix
    if (prefix) {
      for (const [reason, text] of invalidIds(prefix))
        yield [`rejects ${reason} as ${name}`, { ...send(text), ...invalid }]
      const notFound = texts.get(`${prefix}_not_found`)
      if (notFound)
        yield [
          `reports an unknown ${prefix} in the body`,
          { ...send(unknownId(prefix)), assertions: notFound, isExtension: true },
        ]
    }
  }
}

/** Number of digits of the variable `run`, a time in milliseconds that makes e-mail addresses and role names unique. */
const RUN_LENGTH = 13

const prefixOf = ({ parameters }: Operation, name: string): string =>
  parameters.find((parameter) => parameter.name === name)?.schema['x-typed-id']?.prefix ?? 'user'

/** Returns an e-mail address of a length, whose local part and labels are within the limits of SMTP and DNS. */
function longEmail(length: number): string {
  const rest = length - RUN_LENGTH - '@.com'.length
  const labels = Array.from({ length: Math.ceil((rest + 1) / 61) }, () => 'x'.repeat(60)).join('.')
  return `{{run}}@${labels.slice(-rest).replace(/^\./, 'x')}.com`
}
