/** A request of the collection with the assertions on its response. `{{name}}` stands for a variable. */
export interface CollectedRequest {
  /** The claim that the request tests, which is also the name of the file. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** A value to send as JSON, or a string to send unchanged. */
  readonly body?: { readonly json: unknown } | { readonly text: string }
  readonly headers?: Readonly<Record<string, string>>
  /** Expressions on the response with their expected values, such as `['res.status', 'eq 200']`. */
  readonly assertions: readonly Assertion[]
  /** Variables that later requests use, by name, as expressions on the response. */
  readonly sets?: Readonly<Record<string, string>>
  /** JavaScript that runs before the request. */
  readonly script?: string
  /** Whether the specification leaves this behaviour open. A port of the service may skip such requests. */
  readonly isExtension?: boolean
}

export type Assertion = readonly [expression: string, expected: string]

/** Requests in the order in which they run, by folder. */
export type Collection = ReadonlyMap<string, readonly CollectedRequest[]>

export const status = (code: number): Assertion => ['res.status', `eq ${code}`]

export const equals = (field: string, value: string): Assertion => [at(field), `eq ${value}`]

/** Asserts a status and the `detail` of an error. */
export const fails = (code: number, detail: string): Assertion[] => [status(code), equals('detail', detail)]

/** Asserts a 422 whose first invalid field is at the location. */
export const rejects = (...location: readonly string[]): Assertion[] => [
  status(422),
  ...location.map((part, n) => equals(`detail[0].loc[${n}]`, part)),
  ['res.body.detail[0].msg', 'isString'],
  ['res.body.detail[0].type', 'isString'],
]

/** Asserts that a field is an id of the type. */
export const isId = (field: string, prefix: string): Assertion => [
  at(field),
  `matches ^${prefix}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
]

/** Returns the expression for a field of the body, such as `name` or `[0].id`. */
const at = (field: string) => `res.body${field.startsWith('[') ? '' : '.'}${field}`

/** Asserts a status, and values of fields of the body. */
export const returns = (
  code: number,
  fields: Readonly<Record<string, string>> = {},
  ...more: readonly Assertion[]
): Assertion[] => [
  status(code),
  ...Object.entries(fields).map(([name, value]) => equals(name, value)),
  ...more,
]

type Create = (
  name: string,
  path: string,
  assertions: readonly Assertion[],
  json?: object,
) => CollectedRequest

const create =
  (method: string): Create =>
  (name, path, assertions, json) => ({ name, method, path, assertions, ...(json && { body: { json } }) })

export const [get, post, patch, del] = ['GET', 'POST', 'PATCH', 'DELETE'].map(create) as [
  Create,
  Create,
  Create,
  Create,
]

/** Marks a request whose behaviour the specification leaves open. */
export const extension = (request: CollectedRequest): CollectedRequest => ({ ...request, isExtension: true })

/** Sets the variable `<name>_id` to the id of the created record. */
export const creating = (name: string, request: CollectedRequest): CollectedRequest => ({
  ...request,
  sets: { [`${name}_id`]: 'res.body.id' },
})

export const isNull = (field: string): Assertion => [`res.body.${field}`, 'isNull']
export const isEmpty = (field: string): Assertion => [`res.body.${field}`, 'length 0']
export const isArray: Assertion = ['res.body', 'isArray']
export const hasLength = (count: number): Assertion => ['res.body', `length ${count}`]

const IDS = 'res.body.map((item) => item.id).join()'

/** Asserts that a list contains records in this order. */
export const inOrder = (...names: readonly string[]): Assertion => [
  IDS,
  `matches ${names.map((name) => `{{${name}_id}}`).join('.*')}`,
]

/** Asserts that a list does not contain a record. */
export const lacks = (name: string): Assertion => [IDS, `notContains {{${name}_id}}`]

/** Returns requests for pages of a list in which `second` follows `first`. The specification has no pages. */
export const pages = (path: string, first: string, second: string): CollectedRequest[] =>
  [
    get(
      `lists one item of ${path}`,
      `${path}?limit=1`,
      returns(
        200,
        {},
        hasLength(1),
        ['res.headers.link', 'contains limit=1'],
        ['res.headers.link', `contains after=\${res.body[0].id}`],
        ['res.headers.link', 'contains rel="next"'],
      ),
    ),
    get(`lists the item of ${path} after another`, `${path}?limit=1&after={{${first}_id}}`, [
      status(200),
      hasLength(1),
      equals('[0].id', `{{${second}_id}}`),
    ]),
    get(`lists ${path} in the order of creation`, path, [status(200), inOrder(first, second)]),
    get(`accepts the largest page of ${path}`, `${path}?limit=1000`, [status(200), isArray]),
    ...['0', '-1', '1001', 'x', '1.5', '99999999999999999999'].map((limit) =>
      get(`rejects ${limit} as the limit of ${path}`, `${path}?limit=${limit}`, rejects('query', 'limit')),
    ),
  ].map(extension)
