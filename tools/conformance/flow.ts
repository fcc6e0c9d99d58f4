import { type Assertion, type CollectedRequest, equals, rejects, status } from './request.ts'

type Create = (
  name: string,
  path: string,
  assertions: readonly Assertion[],
  body?: CollectedRequest['body'],
  isExtension?: boolean,
) => CollectedRequest

const create =
  (method: string): Create =>
  (name, path, assertions, body, isExtension = false) => ({
    name,
    method,
    path,
    assertions,
    ...(body && { body }),
    ...(isExtension && { isExtension }),
  })

export const post = create('POST')

export const get = (name: string, path: string, assertions: readonly Assertion[], isExtension = false) =>
  create('GET')(name, path, assertions, undefined, isExtension)

export const del = (name: string, path: string, assertions: readonly Assertion[]) =>
  create('DELETE')(name, path, assertions)

export const isNull = (field: string): Assertion => [`res.body.${field}`, 'isNull']
export const isEmpty = (field: string): Assertion => [`res.body.${field}`, 'length 0']
export const isArray: Assertion = ['res.body', 'isArray']
export const hasLength = (count: number): Assertion => ['res.body', `length ${count}`]

/** Pages of a list that contains a record and, as the next one, another. The specification has no pages. */
export const pages = (path: string, first: string, second: string): CollectedRequest[] => {
  const after = (name: string, limit: number | string) => `${path}?limit=${limit}&after={{${name}_id}}`
  const get200 = (name: string, target: string, assertions: readonly Assertion[]) =>
    get(name, target, [status(200), ...assertions], true)
  return [
    get200(`lists one item of ${path}`, `${path}?limit=1`, [
      hasLength(1),
      ['res.headers.link', 'contains limit=1'],
      ['res.headers.link', 'contains rel="next"'],
    ]),
    get200(`lists the item of ${path} after another`, after(first, 1), [
      hasLength(1),
      equals('[0].id', `{{${second}_id}}`),
    ]),
    get200(`accepts the largest page of ${path}`, `${path}?limit=1000`, [isArray]),
    ...['0', '-1', '1001', 'x', '1.5', '99999999999999999999'].map((limit) =>
      get(
        `rejects ${limit} as the limit of ${path}`,
        `${path}?limit=${limit}`,
        rejects('query', 'limit'),
        true,
      ),
    ),
  ]
}
