/* The parts of an OpenAPI 3.1 document that the documents of the service use. */
import { readFileSync } from 'node:fs'

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly example?: unknown
  readonly default?: unknown
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly writeOnly?: boolean
  readonly 'x-brand'?: string
  readonly 'x-typed-id'?: { readonly prefix: string }
}

export interface Header {
  readonly $ref?: string
  readonly description?: string
  readonly schema?: Schema
}

interface Content {
  readonly 'application/json': {
    readonly schema: Schema
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
  }
}

export interface Operation {
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly headers?: Readonly<Record<string, Header>>
        readonly content?: Content
      }
    >
  >
}

export interface Document {
  readonly info: { readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, Header>>
  }
}

const FOLDER = new URL('../../apps/api/openapi/', import.meta.url)

/** Returns the document that the service serves at /openapi.json in a profile, `a` or `b`. */
export function readDocument(profile: string): Document {
  return JSON.parse(readFileSync(new URL(`profile-${profile}.json`, FOLDER), 'utf8'))
}
