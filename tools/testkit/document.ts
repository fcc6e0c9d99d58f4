import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// biome-ignore lint/suspicious/noExplicitAny: schemas are read by keyword.
export type Schema = Record<string, any>

interface Parameter {
  readonly example?: string
  readonly in: 'path' | 'query'
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly schema: Schema }
    }
  }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

interface DocumentedResponse {
  readonly description: string
  readonly headers: Schema
  readonly links?: Schema
  readonly content?: {
    readonly 'application/json': {
      readonly schema: Schema
      readonly example?: Schema
      readonly examples?: Schema
    }
  }
}

export type IsEmail = (text: string) => boolean

export interface Document {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Operation['responses']
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

export const operationsOf = ({ paths, components }: Document): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => {
          const { $ref = '' } = response as { $ref?: string }
          return [status, components.responses?.[nameOf($ref)] ?? response]
        }),
      ),
      parameters: operation.parameters ?? [],
      method: method.toUpperCase(),
      path,
    })),
  )

/**
 * With `closed`, the validator rejects objects with undocumented properties,
 * such as a response that contains a field by mistake.
 */
export function validatorsOf(
  document: Document,
  { closed, isEmail }: { closed: boolean; isEmail: IsEmail },
) {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
  addFormats.default(ajv)
  ajv.addFormat('password', true)
  ajv.addFormat('email', isEmail)
  ajv.addVocabulary(['example', 'x-typed-id', 'x-brand'])
  const compilable = (schema: Schema): Schema =>
    mapSchema(schema, (part) => {
      if (part.$ref) return { $ref: nameOf(part.$ref) }
      return closed && part.properties
        ? { ...part, additionalProperties: false }
        : part
    })
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    ajv.addSchema(compilable(schema), name)
  }
  const compiled = new Map<Schema, ValidateFunction>()
  return (schema: Schema): ValidateFunction => {
    const validate = compiled.get(schema) ?? ajv.compile(compilable(schema))
    compiled.set(schema, validate)
    return validate
  }
}

export const resolved = (document: Document, schema: Schema): Schema =>
  schema.$ref
    ? (document.components.schemas[nameOf(schema.$ref)] ?? {})
    : schema

const nameOf = (ref: string) => ref.split('/').at(-1) ?? ''

export function schemasIn(value: Schema): Schema[] {
  const found: Schema[] = []
  mapSchema(value, (part) => {
    found.push(part)
    return part
  })
  return found
}

function mapSchema(value: Schema, change: (part: Schema) => Schema): Schema {
  if (Array.isArray(value)) return value.map((item) => mapSchema(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(change(value)).map(([key, part]) => [
      key,
      key === 'example' ? part : mapSchema(part, change),
    ]),
  )
}
