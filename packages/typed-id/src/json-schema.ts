import type { AnyIdType } from './core/any-id.ts'
import { describeType } from './core/describe.ts'

/** A part of Standard JSON Schema v1 (standardschema.dev/json-schema). */
export interface JsonSchemaConverter {
  readonly input: (options: {
    readonly target: string
  }) => Record<string, unknown>
  readonly output: JsonSchemaConverter['input']
}

export type WithJsonSchema<T> = T & {
  readonly '~standard': { readonly jsonSchema: JsonSchemaConverter }
}

const TARGETS = ['draft-2020-12', 'draft-07', 'openapi-3.0']

/**
 * Returns an id type that also implements Standard JSON Schema, for libraries
 * such as the AI SDK. The converters throw a TypeError for any other target
 * than `draft-2020-12`, `draft-07` and `openapi-3.0`.
 *
 * @see https://standardschema.dev/json-schema
 * @example
 * const UserId = withJsonSchema(defineId('user'))
 * UserId['~standard'].jsonSchema.input({ target: 'draft-07' }).pattern === UserId.pattern // true
 */
export function withJsonSchema<T extends AnyIdType>(
  type: T,
): WithJsonSchema<T> {
  const convert: JsonSchemaConverter['input'] = ({ target }) => {
    if (!TARGETS.includes(target))
      throw new TypeError(
        `unknown target: expected ${TARGETS.join(', ')}, received ${String(target)}`,
      )
    const { examples, ...keywords } = describeType(type)
    return {
      type: 'string',
      ...keywords,
      ...(target === 'openapi-3.0' ? { example: examples[0] } : { examples }),
    }
  }

  const jsonSchema: JsonSchemaConverter = { input: convert, output: convert }
  return Object.freeze({
    ...type,
    '~standard': Object.freeze({ ...type['~standard'], jsonSchema }),
  })
}
