// `zod/v4` is the API of zod 4 in zod 3.25 and in zod 4.
import * as z from 'zod/v4'
// `z.core.$constructor` would keep all of `z.core` in bundles of esbuild and
// Turbopack, with 60 kB of locales.
import { $constructor } from 'zod/v4/core'
import type { TypedIdError } from '../core/error.ts'

type ErrorMap = z.core.$ZodErrorMap

/**
 * A zod schema of ids, such as `IdSchema<UserId>`, which can be a part of
 * `z.templateLiteral`.
 */
export type IdSchema<Id extends string> = z.ZodType<Id, string> & {
  readonly _zod: { readonly pattern: RegExp }
}

export interface IdSchemaOptions {
  /**
   * The name of the schema in JSON Schema and OpenAPI. All calls with the same
   * name and type return the same schema, because zod rejects a document with
   * two schemas of one name.
   */
  id?: string
  /**
   * The message of each issue, or a function that returns one, as in zod:
   * `z.string({ error })`. Without it, the message comes from the error map of
   * the parse, `z.config({ customError })` or a locale other than English,
   * otherwise from this library.
   */
  error?: string | ErrorMap
}

/** The part of a type or a registry that explains why it rejects a string. */
interface Explaining {
  safeParse(value: unknown): { readonly error?: TypedIdError | undefined }
}

/**
 * Returns a schema for the strings that `accepts` accepts. `forms` describes
 * these strings in messages.
 */
export function createSchema<Id extends string>(
  { safeParse }: Explaining,
  accepts: (text: string) => boolean,
  forms: string,
  keywords: {
    readonly pattern: string | undefined
    readonly [keyword: string]: unknown
  },
  { id, error }: IdSchemaOptions = {},
  pattern = `${keywords.pattern}`,
): IdSchema<Id> {
  const schema = createIdString({
    type: 'string',
    check: 'string_format',
    format: 'typed_id',
    accepts,
    pattern: new RegExp(`^(?:${pattern.replace(/[$^]/g, '')})$`), // z.templateLiteral removes the outer anchors
    explain(text) {
      const {
        code = 'malformed_short',
        expected,
        received,
      } = safeParse(text).error ?? {}
      const isOther = code === 'wrong_type' || code === 'unknown_prefix'
      return {
        code,
        message: isOther
          ? `Expected ${expected}, received ${received}`
          : `Expected ${forms}`,
      }
    },
    ...(error !== undefined && {
      error: typeof error === 'string' ? () => error : error,
    }),
  })
  // zod would write the format `typed_id`, which is not a format of JSON
  // Schema.
  const meta = {
    format: undefined,
    ...keywords,
    ...(id !== undefined && { id }),
  }
  return schema.meta(meta) as unknown as IdSchema<Id>
}

let IdString: (new (def: IdStringDef) => z.ZodType<string, string>) | undefined

interface IdStringDef extends z.core.$ZodStringFormatDef {
  /**
   * Checks a string. A function is 1.6 times as fast as a regular expression.
   */
  readonly accepts: (text: string) => boolean
  /**
   * Returns the code and the message of the error for a string that is not
   * accepted.
   */
  readonly explain: (text: string) => {
    readonly code: string
    readonly message: string
  }
}

/**
 * Creates a schema of strings. The first call creates its class: a call at
 * import would keep zod in every bundle.
 */
function createIdString(def: IdStringDef): z.ZodType<string, string> {
  IdString ??= $constructor('ZodTypedId', (inst, def: IdStringDef) => {
    const init: (inst: never, def: IdStringDef) => void = z.ZodStringFormat.init
    init(inst as never, def)
    const internals = (inst as unknown as z.ZodStringFormat)._zod
    internals.check = () => {} // otherwise zod would match the pattern, which is only for z.templateLiteral
    internals.parse = (payload, context) => {
      const input: unknown = payload.value
      if (typeof input !== 'string')
        payload.issues.push({
          code: 'invalid_type',
          expected: 'string',
          input,
          inst,
        } as never)
      else if (!def.accepts(input)) {
        const { code, message } = def.explain(input)
        // Replaces the schema's error function: only here can an error map take
        // precedence over the message.
        const error: ErrorMap = (issue) => {
          const { customError, localeError } = z.config()
          const localized = localeError?.(issue)
          return (
            def.error?.(issue as never) ??
            context.error?.(issue as never) ??
            customError?.(issue) ??
            (localized === 'Invalid typed_id' ? undefined : localized) ??
            message
          )
        }
        payload.issues.push({
          code: 'invalid_format',
          format: 'typed_id',
          params: { code },
          input,
          inst: { _zod: { def: { error } } } as never,
        } as never)
      }
      return payload
    }
  }) as unknown as typeof IdString
  return new (IdString as NonNullable<typeof IdString>)(def)
}
