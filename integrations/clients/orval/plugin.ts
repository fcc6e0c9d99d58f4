import { readFile, writeFile } from 'node:fs/promises'

/** The types of ids, by the name of their alias. */
const types = new Map<string, string>()

/** For `input.override.transformer`: makes each kind of id a component, of which orval writes a type alias. */
export function nameIds<Document extends { components?: object }>(document: Document): Document {
  const schemas: Record<string, object> = {}
  const named = JSON.parse(JSON.stringify(document), (_, schema) => {
    const { 'x-typed-id': standard, 'x-typeid': short, 'x-brand': name, type } = schema ?? {}
    if (!standard && !short) return schema
    types.set(name, standard ? `TypedId<'${standard.prefix}'>` : `ShortId<'${short.prefix}'>`)
    schemas[name] = { type: 'string' }
    const reference = { $ref: `#/components/schemas/${name}` }
    return type.includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference
  })
  named.components ??= {}
  named.components.schemas = { ...named.components.schemas, ...schemas }
  return named
}

/** For `hooks.afterAllFilesWrite`: gives the aliases their types. */
export async function writeIdTypes(files: string[]): Promise<void> {
  for (const file of files) {
    let code = await readFile(file, 'utf8')
    for (const [name, type] of types)
      code = code.replace(
        `export type ${name} = string;`,
        `export type ${name} = import('typed-id').${type};`,
      )
    await writeFile(file, code)
  }
}
