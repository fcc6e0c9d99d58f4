#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { DataModel } from './models.ts'

interface Generator {
  readonly provider: { readonly value: string }
  readonly output: { readonly value: string }
  readonly config: { readonly namespace?: string }
}

interface Field {
  readonly name: string
  readonly documentation?: string
}

interface Request {
  readonly id: number
  readonly method: 'getManifest' | 'generate'
  readonly params: {
    readonly generator: Generator
    readonly otherGenerators: readonly Generator[]
    readonly dmmf: { readonly datamodel: { readonly models: DataModel } }
  }
}

const WRITTEN = [
  ...['name', 'fields', 'kind', 'type', 'isList', 'isId', 'hasDefaultValue'],
  ...['relationFromFields', 'relationToFields'],
]

if (process.argv.includes('--help')) {
  console.log(`A generator of Prisma. Name it in schema.prisma, and run "npx prisma generate":

generator ids {
  provider = "typed-id-prisma"
  output   = "./generated/data-model.ts"
}`)
  process.exit()
}

// Prisma sends this process one JSON-RPC request per line of stdin, and reads
// the responses from stderr.
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Request
  const manifest = {
    prettyName: 'the data model for typed-id',
    defaultOutput: 'generated/data-model.ts',
  }
  const respond = (response: object) =>
    process.stderr.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, ...response })}\n`,
    )
  try {
    if (method === 'generate') generate(params)
    respond({ result: method === 'getManifest' ? { manifest } : null })
  } catch (error) {
    respond({
      error: { code: -32000, message: (error as Error).message, data: null },
    })
  }
})

function generate({
  generator,
  otherGenerators,
  dmmf,
}: Request['params']): void {
  const { models } = dmmf.datamodel
  const file = generator.output.value
  const { namespace = 'PrismaIds' } = generator.config
  const names = models.flatMap(({ fields }) =>
    fields.flatMap((field) => typeOf(field) ?? []),
  )
  const types = [...new Set(names)].map((name) => `${namespace}.${name}`)
  const code = `export const dataModel = ${JSON.stringify(models, WRITTEN, 2)}\n`
  // In this tuple, the compiler reports an id type that does not exist. In the
  // generated client, which is not checked, the type would silently be `any`.
  const tuple = `export type Ids = [${types.join(', ')}]\n`
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, types.length > 0 ? code + tuple : code)

  for (const { provider, output } of otherGenerators)
    if (provider.value === 'prisma-client')
      for (const { name, fields } of models) {
        const model = join(output.value, 'models', `${name}.ts`)
        typeFields(model, fields, namespace)
      }
}

function typeFields(
  file: string,
  fields: readonly Field[],
  namespace: string,
): void {
  const types = new Map(fields.map((field) => [field.name, typeOf(field)]))
  if (![...types.values()].some(Boolean)) return
  const typed = new Set<string>()
  const code = readFileSync(file, 'utf8').replace(
    /^( +(\w+)\??: )(.+?)(,?)$/gm,
    (line, start: string, name: string, type: string, end: string) => {
      const id = types.get(name)
      if (!id || WITHOUT_IDS.test(type)) return line
      if (!/\bstring\b|Bytes|Filter</.test(type))
        throw new Error(`typed-id-prisma: unknown type in ${file}: ${line}`)
      typed.add(name)
      return `${start}import('typed-id/prisma').WithIds<${type}, ${namespace}.${id}>${end}`
    },
  )
  for (const [name, id] of types)
    if (id && !typed.has(name))
      throw new Error(`typed-id-prisma: found no field ${name} in ${file}`)
  writeFileSync(file, code)
}

const WITHOUT_IDS = /^(boolean|true|number|Prisma\.SortOrder)/

const typeOf = ({ documentation = '' }: Field): string | undefined =>
  /\[(\w+)\]/.exec(documentation)?.[1]
