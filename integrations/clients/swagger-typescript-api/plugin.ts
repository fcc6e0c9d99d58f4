import type { GenerateApiConfiguration } from 'swagger-typescript-api'

interface IdSchema {
  readonly 'x-typed-id'?: { prefix: string }
  readonly 'x-typeid'?: { prefix: string }
}
type Constructs = GenerateApiConfiguration['config']['primitiveTypes']

const typeOf = ({ 'x-typed-id': standard, 'x-typeid': short }: IdSchema) => {
  if (standard) return `import('typed-id').TypedId<'${standard.prefix}'>`
  return short ? `import('typed-id').ShortId<'${short.prefix}'>` : 'string'
}

/** For the option `primitiveTypeConstructs`. */
export const typedIds = (constructs: Constructs) => ({
  ...constructs,
  string: { ...(constructs.string as object), $default: typeOf },
})
