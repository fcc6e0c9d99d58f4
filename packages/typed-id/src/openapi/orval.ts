import { toPascalCase } from '../core/describe.ts'
import {
  type ClientType,
  type IdSchema,
  isNullable,
  sourceOf,
  typesOf,
} from './schema.ts'

/**
 * The part of `node:fs` that `orval` uses. Not imported, because bundlers for
 * browsers cannot resolve it.
 */
interface Files {
  readFileSync(file: string, encoding: 'utf8'): string
  writeFileSync(file: string, code: string): void
}

/**
 * Returns two functions for orval 8. `transformer`, for
 * `input.override.transformer`, makes each kind of id a component, for which
 * orval writes a type alias. `afterAllFilesWrite`, for `hooks`, gives the
 * aliases their types.
 *
 * @param files the module `node:fs`
 * @throws Error The functions throw it for a component of another schema with
 * the name of an id type, such as `UserId`, and for an alias that orval has not
 * written.
 * @example
 * const { transformer, afterAllFilesWrite } = orval(fs)
 */
export function orval({ readFileSync, writeFileSync }: Files): {
  transformer<Document extends object>(document: Document): Document
  afterAllFilesWrite(paths: unknown): void
} {
  const types = new Map<string, string>()

  function transformer<Document extends object>(document: Document): Document {
    types.clear()
    const named = JSON.parse(
      JSON.stringify(document),
      (_, schema: IdSchema & { 'x-brand'?: string }) => {
        const found =
          schema && typeof schema === 'object' ? typesOf(schema) : []
        if (found.length === 0) return schema
        const name = aliasOf(found)
        const source = sourceOf(found)
        if ((types.get(name) ?? source) !== source)
          throw new Error(
            `typed-id/openapi: ${types.get(name)} and ${source} have one name, ${name}`,
          )
        types.set(name, source)
        const reference = { $ref: `#/components/schemas/${name}` }
        if (schema.nullable) return { allOf: [reference], nullable: true }
        return isNullable(schema)
          ? { anyOf: [reference, { type: 'null' }] }
          : reference
      },
    )
    named.components ??= {}
    const { schemas = {} } = named.components
    for (const name of types.keys()) {
      if (
        schemas[name] &&
        schemas[name].$ref !== `#/components/schemas/${name}`
      )
        throw new Error(
          `typed-id/openapi: the component ${name} has the name of an id type`,
        )
      schemas[name] = { type: 'string' }
    }
    named.components.schemas = schemas
    return named
  }

  function afterAllFilesWrite(paths: unknown): void {
    const missing = new Set(types.keys())
    for (const path of paths as string[]) {
      const code = readFileSync(path, 'utf8').replace(
        /^export type (\w+) = string;$/gm,
        (alias, name: string) => {
          if (!types.has(name)) return alias
          missing.delete(name)
          return `export type ${name} = ${types.get(name)};`
        },
      )
      writeFileSync(path, code)
    }
    if (missing.size > 0)
      throw new Error(
        `typed-id/openapi: orval has written no alias ${[...missing].join(', ')}`,
      )
  }

  return { transformer, afterAllFilesWrite }
}

/**
 * Returns the name of an alias: `UserId`, `OrderLineShortId`, or `AnyUserId`
 * for a schema of both forms.
 */
function aliasOf([type, other]: ClientType[]): string {
  const { name, prefix } = type as ClientType
  return (other ? 'Any' : '') + toPascalCase(prefix) + name.replace('Typed', '')
}
