import { readFileSync } from 'node:fs'
import { formatTable } from 'testkit/tables.ts'
import { defineId, type IdType } from 'typed-id'
import { type IdStorage, idCodec } from 'typed-id/codec'
import { type DataModel, idExtension } from 'typed-id/prisma'
import { afterAll, describe, expect, test } from 'vitest'
import { report } from '../../report.ts'
import { NoteId, TeamId, UserId } from '../ids.ts'

/*
 * Every argument and result of every operation, from Prisma's DMMF. Each string of an id field is an id, so that a
 * position that a later version of Prisma adds fails here, unless the extension converts it.
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

const version = process.env.PRISMA ?? ''
const { dataModel }: { dataModel: DataModel } = await import(
  `./generated/postgres-uuid${version}/data-model.ts`
)
const file = new URL(`generated/postgres-uuid${version}/dmmf.json`, import.meta.url)
const { schema, mappings } = JSON.parse(readFileSync(file, 'utf8')) as {
  schema: { inputObjectTypes: Types; outputObjectTypes: Types }
  mappings: { modelOperations: readonly Record<string, string>[] }
}
const byName = ({ prisma = [], model = [] }: Types) =>
  new Map([...prisma, ...model].map((type) => [type.name, type]))
const INPUTS = byName(schema.inputObjectTypes)
const OUTPUTS = byName(schema.outputObjectTypes)
const OPERATIONS = ['Query', 'Mutation'].flatMap((name) => OUTPUTS.get(name)?.fields ?? [])

const IDS: Record<string, Record<string, IdType<string>>> = {
  User: { id: UserId, teamId: TeamId },
  Team: { id: TeamId },
  Note: { id: NoteId, authorId: UserId, parentId: NoteId, readers: UserId },
}
const FIELDS = { User: { id: UserId }, Team: { id: TeamId }, Note: { id: NoteId, readers: UserId } }

type Path = readonly (string | number)[]
interface Position {
  readonly path: Path
  readonly id: IdType<string>
  /** Whether the operator compares a part of the id. */
  readonly isPart: boolean
}

/** Returns the positions of ids below an argument. Each input type is entered once, or the paths would be millions. */
function positionsOf(ref: TypeRef, path: Path, seen: Set<string>, id?: IdType<string>): Position[] {
  const inner = ref.isList ? [...path, 0] : path
  if (ref.location === 'scalar') {
    const isPart = /^(contains|startsWith|endsWith)$/.test(String(path.at(-1)))
    return id && ref.type === 'String' ? [{ path: inner, id, isPart }] : []
  }
  const type = INPUTS.get(ref.type)
  const key = `${ref.type} ${ref.isList} ${id?.prefix}`
  if (ref.location !== 'inputObjectTypes' || !type || seen.has(key)) return []
  seen.add(key)
  const model = /^(User|Team|Note)/.exec(type.name)?.[1] ?? ''
  return type.fields.flatMap((field) =>
    field.inputTypes.flatMap((own) =>
      positionsOf(
        own,
        [...inner, field.name],
        seen,
        isFilter(type) ? id : (IDS[model]?.[field.name] ?? undefined),
      ),
    ),
  )
}

/** Whether the fields of a type are operators and not fields of a model. */
const isFilter = ({ name }: ObjectType) =>
  /Filter$|FieldUpdateOperationsInput$|^NoteCreatereadersInput$|^NoteUpdatereadersInput$/.test(name) &&
  !/RelationFilter$/.test(name)

function build([key, ...path]: Path, value: unknown): unknown {
  if (key === undefined) return value
  return typeof key === 'number' ? [build(path, value)] : { [key]: build(path, value) }
}
const get = (value: unknown, path: Path): unknown =>
  path.reduce((found, key) => (found as Record<string | number, unknown> | undefined)?.[key], value)

const call = (
  storage: IdStorage,
  model: string,
  operation: string,
  args: unknown,
  result: unknown,
  dataPath: string[] = [],
) => {
  let sent: unknown
  const { $allOperations } = idExtension(dataModel, storage, FIELDS).query
  const query = async (args: unknown) => {
    sent = args
    return result
  }
  return $allOperations({ model, operation, args, query, __internalParams: { dataPath } }).then((read) => ({
    sent,
    read,
  }))
}

/** The models and the names of the client's operations by the names of the DMMF, such as `createOneUser`. */
const CLIENT = new Map(
  mappings.modelOperations.flatMap(({ model = '', ...names }) =>
    Object.entries(names).map(([operation, name]) => [
      name,
      { model, operation: operation.replace(/One$/, '') },
    ]),
  ),
)

const cells: { group: string; storage: IdStorage; outcome: string }[] = []

describe.each<IdStorage>(['text', 'uuid', 'bytes'])('%s', (storage) => {
  const found = OPERATIONS.filter(({ name }) => CLIENT.has(name))
  test('the DMMF names the operations of each model', () =>
    expect(found.length).toBeGreaterThanOrEqual(3 * 12))

  test.each(found.map((field) => [field.name, field] as const))('arguments of %s', async (name, { args }) => {
    const { model = '', operation = '' } = CLIENT.get(name) ?? {}
    for (const { path, id, isPart } of args.flatMap((arg) =>
      arg.inputTypes.flatMap((ref) => positionsOf(ref, [arg.name], new Set())),
    )) {
      const stored = idCodec(id, storage, '').toDatabase(id.example as never)
      const place = path.join('.')
      const group = isPart ? 'patterns: contains, startsWith, endsWith' : `${operation}: arguments`
      const run = (value: unknown) => call(storage, model, operation, build(path, value), undefined)
      if (isPart && storage !== 'text') {
        await expect(run(id.example), place).rejects.toThrow('idExtension: cannot apply')
        cells.push({ group, storage, outcome: 'throws: idExtension: cannot apply' })
        continue
      }
      expect(get((await run(id.example)).sent, path), place).toEqual(isPart ? id.example : stored)
      if (!isPart)
        await expect(run(defineId('other').example), place).rejects.toThrow(`expected ${id.prefix} in column`)
      cells.push({ group, storage, outcome: isPart ? 'sent unchanged' : 'right' })
    }
  })

  test.each(found.map((field) => [field.name, field] as const))(
    'results of %s',
    async (name, { outputType }) => {
      const { model = '', operation = '' } = CLIENT.get(name) ?? {}
      for (const { path, id } of resultsOf(outputType, [], new Set())) {
        const result = build(path, idCodec(id, storage, '').toDatabase(id.example as never))
        const { read } = await call(storage, model, operation, {}, result)
        expect(get(read, path), path.join('.')).toBe(id.example)
        cells.push({ group: `${operation}: results`, storage, outcome: 'right' })
      }
    },
  )

  test.each(
    Object.keys(IDS).flatMap((model) =>
      relationsOf(model).map((path) => [model, path.join('.'), path] as const),
    ),
  )('fluent API: %s.%s', async (model, _, path) => {
    const target = path.reduce((from, relation) => relatedTo(from, relation), model)
    const dataPath = path.flatMap((relation) => ['select', relation])
    for (const [field, id] of Object.entries(IDS[target] ?? {})) {
      const result = { [field]: idCodec(id, storage, '').toDatabase(id.example as never) }
      const { read } = await call(storage, model, 'findUnique', { where: {} }, [result], dataPath)
      expect(read).toEqual([{ [field]: id.example }])
      cells.push({ group: 'fluent API', storage, outcome: 'right' })
    }
  })
})

/** Returns the positions of ids in a result. */
function resultsOf(ref: TypeRef, path: Path, seen: Set<string>, id?: IdType<string>): Position[] {
  const inner = ref.isList ? [...path, 0] : path
  if (ref.location === 'scalar')
    return id && ref.type === 'String' ? [{ path: inner, id, isPart: false }] : []
  const type = OUTPUTS.get(ref.type)
  if (!type || seen.has(type.name)) return []
  seen.add(type.name)
  const model = /^(?:CreateMany|UpdateMany|Aggregate)?(User|Team|Note)/.exec(type.name)?.[1] ?? ''
  return type.fields.flatMap((field) =>
    resultsOf(field.outputType, [...inner, field.name], seen, IDS[model]?.[field.name]),
  )
}

const relationsIn = (model: string) =>
  dataModel.find(({ name }) => name === model)?.fields.filter(({ kind }) => kind === 'object') ?? []
const relatedTo = (model: string, relation: string) =>
  relationsIn(model).find(({ name }) => name === relation)?.type ?? ''
const relationsOf = (model: string): string[][] =>
  relationsIn(model).flatMap(({ name, type }) => [
    [name],
    ...relationsIn(type).map((next) => [name, next.name]),
  ])

afterAll(() => {
  const groups = [...new Set(cells.map(({ group }) => group))]
  const outcome = (group: string, storage: IdStorage) => {
    const own = cells.filter((cell) => cell.group === group && cell.storage === storage)
    return `${own.length} ${own[0]?.outcome}`
  }
  const rows = groups.map((group) => [
    group,
    ...(['text', 'uuid', 'bytes'] as const).map((storage) => outcome(group, storage)),
  ])
  report('prisma-positions', formatTable({ columns: ['Prisma', 'text', 'uuid', 'bytes'], rows }))
})
