import { readFileSync } from 'node:fs'
import { defineId, type IdDefinition } from 'typed-id'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { type DataModel, idExtension } from 'typed-id/prisma'
import { defineTypeId } from 'typed-id/typeid'
import { describe, expect, test } from 'vitest'
import { NoteId, UserId } from '../../ids.ts'

/** The ids of teams are TypeIDs. */
const TeamId = defineTypeId('team')

/*
 * Tests every argument and result of every operation in Prisma's DMMF. Each string of an id field is an id, so the test
 * fails if a later version of Prisma adds a position that the extension does not convert.
 */

interface TypeRef {
  readonly type: string
  readonly location: string
  readonly isList: boolean
}
interface Field {
  readonly name: string
  readonly inputTypes: readonly TypeRef[]
  readonly outputType: TypeRef
  readonly args: readonly Field[]
}
interface ObjectType {
  readonly name: string
  readonly meta?: { readonly grouping?: string }
  readonly fields: readonly Field[]
}
interface Types {
  readonly prisma?: readonly ObjectType[]
  readonly model?: readonly ObjectType[]
}

async function readSchema(name: string) {
  const folder = `./generated/${name}${process.env.OLDEST ?? ''}`
  const { dataModel }: { dataModel: DataModel } = await import(
    `${folder}/data-model.ts`
  )
  const { schema, mappings } = JSON.parse(
    readFileSync(new URL(`${folder}/dmmf.json`, import.meta.url), 'utf8'),
  ) as {
    schema: { inputObjectTypes: Types; outputObjectTypes: Types }
    mappings: { modelOperations: readonly Record<string, string>[] }
  }
  const byName = ({ prisma = [], model = [] }: Types) =>
    new Map([...prisma, ...model].map((type) => [type.name, type]))
  const outputs = byName(schema.outputObjectTypes)
  /**
   * The model and method of each operation, by its name in the DMMF, such as
   * `createOneUser`.
   */
  const client = new Map(
    mappings.modelOperations.flatMap(({ model = '', ...names }) =>
      Object.entries(names).map(([operation, name]) => [
        name,
        { model, operation: operation.replace(/One$/, '') },
      ]),
    ),
  )
  const operations = ['Query', 'Mutation'].flatMap(
    (type) => outputs.get(type)?.fields ?? [],
  )
  return {
    dataModel,
    hasLists: !name.startsWith('sqlite'),
    inputs: byName(schema.inputObjectTypes),
    outputs,
    client,
    operations: operations.filter((operation) => client.has(operation.name)),
  }
}
type Schema = Awaited<ReturnType<typeof readSchema>>

type Id = IdDefinition<string, string>
const IDS: Record<string, Record<string, Id>> = {
  User: { id: UserId, teamId: TeamId },
  Team: { id: TeamId },
  Note: { id: NoteId, authorId: UserId, parentId: NoteId, readers: UserId },
}
const FIELDS = {
  User: { id: UserId },
  Team: { id: TeamId },
  Note: { id: NoteId },
}
const LISTS = { ...FIELDS, Note: { id: NoteId, readers: UserId } }

type Path = readonly (string | number)[]
interface Position {
  readonly path: Path
  readonly id: Id
  /**
   * Whether the position is the operand of an operator that compares a part of
   * an id.
   */
  readonly isPart: boolean
}

const STORED = /^(String|Bytes)$/

/**
 * Returns the positions of ids below an argument. Enters each input type only
 * once, because the types are recursive.
 */
function positionsOf(
  schema: Schema,
  ref: TypeRef,
  path: Path,
  seen: Set<string>,
  id?: Id,
): Position[] {
  const inner = ref.isList ? [...path, 0] : path
  if (ref.location === 'scalar') {
    const isPart = /^(contains|startsWith|endsWith)$/.test(String(path.at(-1)))
    return id && STORED.test(ref.type) ? [{ path: inner, id, isPart }] : []
  }
  const type = schema.inputs.get(ref.type)
  const key = `${ref.type} ${ref.isList} ${id?.prefix}`
  if (ref.location !== 'inputObjectTypes' || !type || seen.has(key)) return []
  seen.add(key)
  const model = /^(User|Team|Note)/.exec(type.name)?.[1] ?? ''
  return type.fields.flatMap((field) =>
    field.inputTypes.flatMap((own) =>
      positionsOf(
        schema,
        own,
        [...inner, field.name],
        seen,
        isFilter(type) ? id : (IDS[model]?.[field.name] ?? undefined),
      ),
    ),
  )
}

/**
 * Returns whether the fields of an input type are operators, not fields of a
 * model.
 */
const isFilter = ({ name }: ObjectType) =>
  /Filter$|FieldUpdateOperationsInput$|^NoteCreatereadersInput$|^NoteUpdatereadersInput$/.test(
    name,
  ) && !/RelationFilter$/.test(name)

function build([key, ...path]: Path, value: unknown): unknown {
  if (key === undefined) return value
  return typeof key === 'number'
    ? [build(path, value)]
    : { [key]: build(path, value) }
}
const get = (value: unknown, path: Path): unknown =>
  path.reduce(
    (found, key) =>
      (found as Record<string | number, unknown> | undefined)?.[key],
    value,
  )

const call = (
  { dataModel, hasLists }: Schema,
  storage: IdStorage,
  model: string,
  operation: string,
  args: unknown,
  result: unknown,
) => {
  let sent: unknown
  const { $allOperations } = idExtension(
    dataModel,
    storage,
    hasLists ? LISTS : FIELDS,
  ).query
  const query = async (args: unknown) => {
    sent = args
    return result
  }
  return $allOperations({ model, operation, args, query }).then((read) => ({
    sent,
    read,
  }))
}

const ALL: [column: string, schema: string, storage: IdStorage][] = [
  ['PostgreSQL, uuid', 'postgres-uuid', 'uuid'],
  ['SQLite, text', 'sqlite-text', 'text'],
  ['SQLite, bytes', 'sqlite-bytes', 'bytes'],
]
const COLUMNS = process.env.OLDEST ? ALL.slice(0, 1) : ALL

describe.each(COLUMNS)('%s', async (_, name, storage) => {
  const schema = await readSchema(name)
  const found = schema.operations
  test('the DMMF names the operations of each model', () =>
    expect(found.length).toBeGreaterThanOrEqual(3 * 12))

  test.each(found.map((field) => [field.name, field] as const))(
    'arguments of %s',
    async (name, { args }) => {
      const { model = '', operation = '' } = schema.client.get(name) ?? {}
      for (const { path, id, isPart } of args.flatMap((arg) =>
        arg.inputTypes.flatMap((ref) =>
          positionsOf(schema, ref, [arg.name], new Set()),
        ),
      )) {
        const stored = idCodec(id, storage, '').toDatabase(id.example as never)
        const place = path.join('.')
        const run = (value: unknown) =>
          call(schema, storage, model, operation, build(path, value), undefined)
        if (isPart && storage !== 'text') {
          await expect(run(id.example), place).rejects.toThrow(
            'idExtension: cannot apply',
          )
          continue
        }
        expect(get((await run(id.example)).sent, path), place).toEqual(
          isPart ? id.example : stored,
        )
        if (!isPart)
          await expect(run(defineId('other').example), place).rejects.toThrow(
            new RegExp(`expected "?${id.prefix}.* in column`),
          )
      }
    },
  )

  test.each(found.map((field) => [field.name, field] as const))(
    'results of %s',
    async (name, { outputType }) => {
      const { model = '', operation = '' } = schema.client.get(name) ?? {}
      for (const { path, id } of resultsOf(schema, outputType, [], new Set())) {
        const result = build(
          path,
          idCodec(id, storage, '').toDatabase(id.example as never),
        )
        const { read } = await call(
          schema,
          storage,
          model,
          operation,
          {},
          result,
        )
        expect(get(read, path), path.join('.')).toBe(id.example)
      }
    },
  )
})

function resultsOf(
  schema: Schema,
  ref: TypeRef,
  path: Path,
  seen: Set<string>,
  id?: Id,
): Position[] {
  const inner = ref.isList ? [...path, 0] : path
  if (ref.location === 'scalar')
    return id && STORED.test(ref.type)
      ? [{ path: inner, id, isPart: false }]
      : []
  const type = schema.outputs.get(ref.type)
  if (!type || seen.has(type.name)) return []
  seen.add(type.name)
  const model =
    /^(?:CreateMany|UpdateMany|Aggregate)?(User|Team|Note)/.exec(
      type.name,
    )?.[1] ?? ''
  return type.fields.flatMap((field) =>
    resultsOf(
      schema,
      field.outputType,
      [...inner, field.name],
      seen,
      IDS[model]?.[field.name],
    ),
  )
}
