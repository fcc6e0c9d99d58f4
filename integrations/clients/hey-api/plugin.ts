import type { UserConfig } from '@hey-api/openapi-ts'

type Plugin = Exclude<NonNullable<UserConfig['plugins']>[number], string>
type TypeScript = Extract<Plugin, { name: '@hey-api/typescript' }>
type Context = Parameters<NonNullable<NonNullable<TypeScript['$resolvers']>['string']>>[0]

/** The TypeScript plugin, which writes the type of an id where its schema has `x-typed-id` or `x-typeid`. */
export const typedIds: TypeScript = {
  name: '@hey-api/typescript',
  $resolvers: {
    string: (context) => createIdType(context, context.schema),
    /** A nullable id is a union that has the keys, of members without them. */
    union(context) {
      const id = createIdType(context, context.parentSchema)
      return id && context.$.type.or(id, context.$.type.literal(null))
    },
  },
}

function createIdType({ $, plugin }: Pick<Context, '$' | 'plugin'>, schema: object) {
  const keys = schema as { 'x-typed-id'?: { prefix: string }; 'x-typeid'?: { prefix: string } }
  const prefix = (keys['x-typed-id'] ?? keys['x-typeid'])?.prefix
  if (prefix === undefined) return undefined
  const name = keys['x-typed-id'] ? 'TypedId' : 'ShortId'
  const symbol = plugin.symbolOnce(name, { external: 'typed-id', kind: 'type' })
  return $.type(symbol).generic($.type.literal(prefix))
}
