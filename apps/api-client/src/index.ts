import type { AppType as ServiceApp } from 'api/app.ts'
import type { Hono } from 'hono'
import { hc, type InferResponseType } from 'hono/client'
import type { BlankEnv, ExtractSchema, Schema } from 'hono/types'
import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export const TeamId = defineId('team')
export const RoleId = defineId('role')

export type UserId = IdOf<typeof UserId>
export type TeamId = IdOf<typeof TeamId>
export type RoleId = IdOf<typeof RoleId>

/**
 * Infers `S`, which makes the compiler write the type `S` in full into the
 * .d.ts file. A type alias would be written as an import of the service, which
 * front-ends do not install.
 */
const inferApp = <S extends Schema>(_schema?: S) =>
  undefined as Hono<BlankEnv, S, '/'> | undefined
const app = inferApp(undefined as ExtractSchema<ServiceApp> | undefined)

/**
 * All endpoints, as an argument of Hono's types, such as `ApplyGlobalResponse`.
 */
export type AppType = NonNullable<typeof app>

/**
 * Calls Hono's `hc` to create a client with the types of all endpoints. The
 * types are wrong for the simplified service that `PROFILE=b` starts.
 *
 * If a proxy adds responses, such as 401, pass Hono's
 * `ApplyGlobalResponse<AppType, …>` as the type argument `App`.
 *
 * @example
 * const api = createClient('https://api.example.com')
 * const response = await api.users[':user_id'].$get({ param: { user_id } })
 */
export const createClient: <
  // biome-ignore lint/suspicious/noExplicitAny: an app with any endpoints.
  App extends Hono<any, any, any> = AppType,
>(
  ...args: Parameters<typeof hc>
) => ReturnType<typeof hc<App>> = hc

type Endpoints = ReturnType<typeof hc<AppType>>
type GetUser = Endpoints['users'][':user_id']['$get']

export type User = InferResponseType<GetUser, 200>
export type Team = NonNullable<User['team']>
export type Role = User['roles'][number]
/** One invalid field of a request, in the body of a 422 response. */
export type ValidationIssue = InferResponseType<GetUser, 422>['detail'][number]

/**
 * Returns the URL of the next page of a list, or undefined after the last page.
 * Resolves the header `Link`, which is relative to the URL of the response.
 *
 * @throws TypeError if a response with a next page has no URL, such as
 * `new Response()`.
 * @example
 * const after = nextPage(response)?.searchParams.get('after')
 */
export function nextPage({
  headers,
  url,
}: Pick<Response, 'headers' | 'url'>): URL | undefined {
  const link = headers.get('link') ?? ''
  const [, target] = /<([^>]*)>[^<]*\brel="?next\b/i.exec(link) ?? []
  return target === undefined ? undefined : new URL(target, url)
}

/**
 * Returns the validation messages of a 422 response for each field. A nested
 * field has a name such as `address.city`.
 *
 * @example
 * fieldErrors(await response.json()).email
 * // ['value is not a valid email address']
 */
export function fieldErrors(body: {
  readonly detail: readonly ValidationIssue[]
}): FieldErrors {
  const errors: FieldErrors = Object.create(null)
  for (const { loc, msg } of body.detail) {
    const field = loc.slice(1).join('.')
    errors[field] = [...(errors[field] ?? []), msg]
  }
  return errors
}

export type FieldErrors = Partial<Record<string, readonly string[]>>
