#!/usr/bin/env node
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import type { DataModel } from './models.ts'

/*
 * The Prisma generator `typed-id-prisma`. It writes the models with the fields of their relations, which a generated
 * client does not contain. Prisma sends one JSON-RPC request per line to stdin, and reads the responses from stderr.
 */

interface Request {
  readonly id: number
  readonly method: 'getManifest' | 'generate'
  readonly params: {
    readonly generator: { readonly output: { readonly value: string } }
    readonly dmmf: { readonly datamodel: { readonly models: DataModel } }
  }
}

/** The properties of models and fields that the file contains: those of `DataModel`. */
const WRITTEN = [
  ...['name', 'fields', 'kind', 'type', 'isList', 'isId', 'hasDefaultValue'],
  ...['relationFromFields', 'relationToFields'],
]

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as Request
  const manifest = { prettyName: 'the data model for typed-id', defaultOutput: 'generated/data-model.ts' }
  if (method === 'generate') writeDataModel(params.generator.output.value, params.dmmf.datamodel.models)
  const result = method === 'getManifest' ? { manifest } : null
  process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
})

function writeDataModel(file: string, models: DataModel): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `export const dataModel = ${JSON.stringify(models, WRITTEN, 2)}\n`)
}
