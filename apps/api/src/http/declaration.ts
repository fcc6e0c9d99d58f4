import type { Context, Handler, TypedResponse } from 'hono'
import type { z } from 'zod'
import type { Failure, FailureResponse } from './failures.ts'
import type { HTTPValidationError } from './validation.ts'

export interface Declaration {
  readonly id: string
  readonly tag: string
  readonly summary: string
  readonly description?: string | undefined
  readonly param?: z.ZodObject | undefined
  readonly query?: z.ZodObject | undefined
  readonly json?: z.ZodObject | undefined
  readonly success: {
    readonly status: 200 | 201 | 204
    readonly description: string
    readonly body?: z.ZodType
    readonly headers?: Readonly<Record<string, string>>
  }
  readonly errors?: readonly Failure[] | undefined
}

export type Inputs = Pick<Declaration, 'param' | 'query' | 'json'>

/**
 * Hono's types of the fields before (`in`) and after (`out`) validation.
 * Reading the property `resolved` makes compiler messages show the fields
 * instead of the name `InputOf<…>`.
 */
type InputOf<D extends Inputs> = {
  resolved: {
    in: { [T in keyof D & keyof Inputs]: z.input<NonNullable<D[T]>> }
    out: { [T in keyof D & keyof Inputs]: z.output<NonNullable<D[T]>> }
  }
}['resolved']

export type SuccessOf<S extends Declaration['success']> = S extends {
  body: z.ZodType
}
  ? TypedResponse<z.output<S['body']>, S['status'], 'json'>
  : TypedResponse<null, S['status'], 'body'>

export type ErrorsOf<D extends Pick<Declaration, 'errors'>> =
  D['errors'] extends readonly (infer F extends Failure)[]
    ? FailureResponse<F>
    : never

type InvalidOf<D extends Inputs> = [keyof D & keyof Inputs] extends [never]
  ? never
  : TypedResponse<z.output<typeof HTTPValidationError>, 422, 'json'>

type HttpError = TypedResponse<
  { detail: string },
  403 | 413 | 415 | 500 | 503,
  'json'
>

// biome-ignore lint/suspicious/noExplicitAny: an endpoint runs in any app, at any path.
type Any = any

export type EndpointHandler<D extends Declaration> = Handler<
  Any,
  Any,
  InputOf<D>,
  Promise<
    {
      resolved: SuccessOf<D['success']> | ErrorsOf<D> | InvalidOf<D> | HttpError
    }['resolved']
  >
>

type Undeclared<Value, Declared> = Value extends
  | string
  | number
  | boolean
  | null
  | undefined
  ? never
  : Value extends readonly (infer V)[]
    ? Extract<Declared, readonly unknown[]> extends readonly (infer D)[]
      ? Undeclared<V, D>
      : never
    : {
        [K in keyof Value]: K extends FieldsOf<Declared>
          ? Undeclared<Value[K], Extract<Declared, { [P in K]?: unknown }>[K]>
          : K
      }[keyof Value]

type FieldsOf<T> = T extends unknown ? keyof T : never

/**
 * `Value & NoUndeclared<Value, Declared>` does not accept a value with a field
 * that `Declared` lacks.
 */
export type NoUndeclared<Value, Declared> = [
  Undeclared<Value, Declared>,
] extends [never]
  ? unknown
  : { undeclaredField: Undeclared<Value, Declared> }

export type BodyOf<R, S extends Declaration['success']> =
  R extends TypedResponse<infer Body, S['status'], string> ? Body : never

export type EndpointContext<D extends Inputs> = Context<Any, Any, InputOf<D>>
