import type { SafeResult } from './error.ts'
import type { StandardIdSchema } from './types.ts'

/**
 * Issues are plain objects, because the serializers of frameworks drop the
 * properties of an Error, or throw.
 */
export function createStandardSchema<Id extends string>(
  safeParse: (value: unknown) => Pick<SafeResult<Id>, 'data' | 'error'>,
): StandardIdSchema<Id> {
  return Object.freeze<StandardIdSchema<Id>>({
    version: 1,
    vendor: 'typed-id',
    validate: (value) => {
      const { data, error } = safeParse(value)
      if (!error) return { value: data as Id }
      const { message, code, expected, received } = error
      return { issues: [Object.freeze({ message, code, expected, received })] }
    },
  })
}
