/** A request of the collection with the assertions on its response. `{{name}}` stands for a variable. */
export interface CollectedRequest {
  /** The claim, which is also the name of the file. */
  readonly name: string
  readonly method: string
  readonly path: string
  /** A value to send as JSON, or a text to send unchanged. */
  readonly body?: { readonly json: unknown } | { readonly text: string }
  readonly headers?: Readonly<Record<string, string>>
  /** An expression on the response, and what it must be, such as `['res.status', 'eq 200']`. */
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

/** A response with an error text. */
export const fails = (code: number, detail: string): Assertion[] => [status(code), equals('detail', detail)]

/** A 422 whose first invalid field is at the location. */
export const rejects = (...location: readonly string[]): Assertion[] => [
  status(422),
  ...location.map((part, n) => equals(`detail[0].loc[${n}]`, part)),
  ['res.body.detail[0].msg', 'isString'],
  ['res.body.detail[0].type', 'isString'],
]

/** A field that is an id of the type. */
export const isId = (field: string, prefix: string): Assertion => [
  at(field),
  `matches ^${prefix}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`,
]

/** The expression of a field of the body, such as `name` or `[0].id`. */
const at = (field: string) => `res.body${field.startsWith('[') ? '' : '.'}${field}`
