import { readFileSync } from 'node:fs'
import { defineId, type IdDefinition } from 'typed-id'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { type DataModel, idExtension } from 'typed-id/prisma'
import { defineTypeId } from 'typed-id/typeid'
import { describe, expect, test } from 'vitest'
import { NoteId, UserId } from '../../ids.ts'

const TeamId = defineTypeId('team')

/*
 * Puts an id into each id field in the arguments and results of every operation
 * in the DMMF, Prisma's description of a client. Fails if a later version of
 * Prisma adds an argument or a result that the extension does not convert.
 */

interface TypeRef {
  readonly type: string
  readonly location: string
  readonly isList: boolean
}
interface Field {
  readonly name: string
  readonly inputTypes?: readonly TypeRef[]
  readonly outputType: TypeRef
  readonly args: readonly Field[]
}
interface ObjectType {
  readonly name: string
  readonly fields: readonly Field[]
}
type Types = ReadonlyMap<string, ObjectType>

async function readSchema(name: string) {
  const folder = `./generated/${name}${process.env.OLDEST ?? ''}`
  const { dataModel }: { dataModel: DataModel } = await import(
    `${folder}/data-model.ts`
  )
  const { schema, mappings } = JSON.parse(
    readFileSync(new URL(`${folder}/dmmf.json`, import.meta.url), 'utf8'),
  ) as {
    schema: Record<string, Record<string, ObjectType[]>>
    mappings: { modelOperations: readonly Record<string, string>[] }
  }
  const byName = (groups = {}): Types =>
    new Map(
      Object.values<ObjectType[]>(groups)
        .flat()
        .map((type) => [type.name, type]),
    )
  const outputs = byName(schema.outputObjectTypes)
  const clientMethods = new Map(
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
    clientMethods,
    operations: operations.filter((operation) =>
      clientMethods.has(operation.name),
    ),
  }
}
type Schema = Awaited<ReturnType<typeof readSchema>>

type Id = IdDefinition<string, string>
const IDS: Record<string, Record<string, Id>> = {
  User: { id: UserId, teamId: TeamId },
  Team: { id: TeamId },
  Note: { id: NoteId, authorId: UserId, parentId: NoteId, readers: UserId },
}
const LISTS = {
  User: { id: UserId },
  Team: { id: TeamId },
  Note: { id: NoteId, readers: UserId },
}
const FIELDS = { ...LISTS, Note: { id: NoteId } }

type Path = readonly (string | number)[]
interface Position {
  readonly path: Path
  readonly id: Id
}

function positionsOf(
  types: Types,
  { type: name, location, isList }: TypeRef,
  path: Path = [],
  seen = new Set<string>(),
  id?: Id,
): Position[] {
  const inner = isList ? [...path, 0] : path
  if (location === 'scalar')
    return id && /^(String|Bytes)$/.test(name) ? [{ path: inner, id }] : []
  const type = types.get(name)
  const isListOfInputs = isList && location === 'inputObjectTypes'
  const key = `${name} ${isListOfInputs} ${id?.prefix}`
  if (!type || seen.has(key)) return []
  seen.add(key)
  const [, model = ''] =
    /^(?:CreateMany|UpdateMany|Aggregate)?(User|Team|Note)/.exec(name) ?? []
  return type.fields.flatMap((field) => {
    const below = isFilter(type) ? id : IDS[model]?.[field.name]
    return (field.inputTypes ?? [field.outputType]).flatMap((ref) =>
      positionsOf(types, ref, [...inner, field.name], seen, below),
    )
  })
}

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

async function call(
  { dataModel, hasLists, clientMethods }: Schema,
  storage: IdStorage,
  name: string,
  args: unknown,
  result?: unknown,
) {
  let sent: unknown
  const fields = hasLists ? LISTS : FIELDS
  const { $allOperations } = idExtension(dataModel, storage, fields).query
  const query = async (args: unknown) => {
    sent = args
    return result
  }
  const { model = '', operation = '' } = clientMethods.get(name) ?? {}
  const read = await $allOperations({ model, operation, args, query })
  return { sent, read }
}

const ALL: [column: string, schema: string, storage: IdStorage][] = [
  ['PostgreSQL, uuid', 'postgres-uuid', 'uuid'],
  ['SQLite, text', 'sqlite-text', 'text'],
  ['SQLite, bytes', 'sqlite-bytes', 'bytes'],
]
const COLUMNS = process.env.OLDEST ? ALL.slice(0, 1) : ALL

const PART = /^(contains|startsWith|endsWith)$/

describe.each(COLUMNS)('%s', async (_, name, storage) => {
  const schema = await readSchema(name)
  const operations = schema.operations.map(
    (field) => [field.name, field] as const,
  )
  const stored = (id: Id) =>
    idCodec(id, storage, '').toDatabase(id.example as never)

  test('the DMMF names the operations of each model', () =>
    expect(operations.length).toBeGreaterThanOrEqual(3 * 12))

  test.each(operations)('arguments of %s', async (name, { args }) => {
    const positions = args.flatMap(({ name, inputTypes = [] }) =>
      inputTypes.flatMap((ref) => positionsOf(schema.inputs, ref, [name])),
    )
    for (const { path, id } of positions) {
      const isPart = PART.test(String(path.at(-1)))
      const place = path.join('.')
      const run = (value: unknown) =>
        call(schema, storage, name, build(path, value))
      if (isPart && storage !== 'text') {
        await expect(run(id.example), place).rejects.toThrow(
          'idExtension: cannot apply',
        )
        continue
      }
      expect(get((await run(id.example)).sent, path), place).toEqual(
        isPart ? id.example : stored(id),
      )
      if (!isPart)
        await expect(run(defineId('other').example), place).rejects.toThrow(
          new RegExp(`expected "?${id.prefix}.* in column`),
        )
    }
  })

  test.each(operations)('results of %s', async (name, { outputType }) => {
    for (const { path, id } of positionsOf(schema.outputs, outputType)) {
      const result = build(path, stored(id))
      const { read } = await call(schema, storage, name, {}, result)
      expect(get(read, path), path.join('.')).toBe(id.example)
    }
  })
})
