import * as z from 'zod/v4'
import type { SafeResult } from '../core/error.ts'

/**
 * A zod schema of ids, such as `IdSchema<UserId>`. The input type of the schema
 * is an id, too, so that typed clients reject other strings. The input type of
 * `IdSchema<UserId, string>` is `string`.
 */
export interface IdSchema<Id extends string, Input extends string = Id>
  extends z.ZodType<Id, Input> {}

export interface IdSchemaOptions {
  /**
   * The name of the schema in JSON Schema and OpenAPI. zod requires unique
   * names, so all calls with the same name and type return the same schema.
   */
  id?: string
  /**
   * The message of each issue, or a function that returns a message, as in zod.
   * This option takes precedence over `z.config({ customError })`, and
   * `customError` takes precedence over the message of this library.
   */
  error?: string | z.core.$ZodErrorMap
  /** `'string'` makes the type of the input `string`, as form fields need. */
  input?: 'string'
}

export type InputOf<Options, Accepted> = Options extends { input: 'string' }
  ? string
  : Accepted

export function createSchema(
  { safeParse }: { safeParse(value: unknown): SafeResult<unknown> },
  forms: string,
  keywords: {
    readonly pattern: string | undefined
    readonly [keyword: string]: unknown
  },
  { id, error: option }: IdSchemaOptions = {},
  pattern = `${keywords.pattern}`,
): IdSchema<never> {
  const explain = (text: unknown) => {
    const { code, expected, received } = safeParse(text).error ?? {}
    return code === 'wrong_type' || code === 'unknown_prefix'
      ? `Expected ${expected}, received ${received}`
      : `Expected ${forms}`
  }
  // With the option `error`, zod no longer calls the user's `customError`. So
  // this function, which becomes the option `error`, calls `customError`.
  const error: z.core.$ZodErrorMap = (issue) =>
    (typeof option === 'function' ? option(issue) : option) ??
    z.config().customError?.(issue) ??
    explain(issue.input)
  // `z.templateLiteral` removes only anchors at the ends of a pattern. With
  // anchors inside, the pattern of a template would match nothing.
  const matcher = new RegExp(`^(?:${pattern.replace(/[$^]/g, '')})$`)
  // Uses `regex`, because generators of fake data cannot read `z.stringFormat`.
  const schema = z.string({ error: option }).regex(matcher, {
    error,
    abort: true, // without `abort`, zod passes invalid strings to `refine`
  })
  return schema.meta({
    ...keywords,
    ...(id !== undefined && { id }),
  }) as z.ZodType as IdSchema<never>
}

/**
 * Clones the codec of `z.stringbool`, because bundlers reject the name
 * `z.codec` with zod 4.0. With a computed name, as in `z[name]`, bundlers would
 * include all locales of zod.
 */
export function createCodec(
  input: z.ZodType,
  output: z.ZodType,
  decode: (value: never, payload: z.core.ParsePayload) => unknown,
  encode: typeof decode,
): IdSchema<never> | undefined {
  const model: z.ZodType = z.stringbool()
  if (!('reverseTransform' in model.def)) return undefined
  return model.clone({
    type: 'pipe',
    in: input,
    out: output,
    transform: decode,
    reverseTransform: encode,
  } as never) as IdSchema<never>
}

type Named = { readonly schema: unknown; readonly error: unknown }

const named = /* @__PURE__ */ new WeakMap<object, Map<string, Named>>()

export function cached<S>(
  type: object,
  kind: string,
  { id, error }: { id?: string; error?: unknown } = {},
  create: () => S,
): S {
  if (id === undefined) return create()
  const schemas = named.get(type) ?? new Map<string, Named>()
  named.set(type, schemas)
  const found = schemas.get(`${kind} ${id}`) ?? { schema: create(), error }
  if (found.error !== error)
    throw new TypeError(`the schema ${id} exists with another error option`)
  schemas.set(`${kind} ${id}`, found)
  return found.schema as S
}
