import type * as Kysely from 'kysely'
import { type OperationNode, OperationNodeTransformer } from 'kysely'
import {
  isComparison,
  isQuery,
  isValue,
  known,
  nameOf,
  operatorOf,
} from './nodes.ts'
import { enter, isChoice, outputsOf, shapeOf } from './queries.ts'
import { EMPTY, type Scope, shapeIn } from './scope.ts'
import { type Column, fail, fits, hasIds, type Shape } from './shapes.ts'

/**
 * Node kinds whose children are compared with, or written to, the same column
 * as the node itself.
 */
const TRANSPARENT: ReadonlySet<OperationNode['kind']> = new Set([
  'AliasNode',
  'AndNode', // of BETWEEN
  'CaseNode',
  'FunctionNode',
  'ParensNode',
  'PrimitiveValueListNode',
  'ValueListNode',
  'ValueNode',
])

/** Returns a shape that accepts no ids. Error messages name `place`. */
const placeOf = (place: string): Shape => ({ key: '', place })

/**
 * Copies a query, and converts its ids to the form that the database stores.
 * Throws for an id that is neither compared with an id column nor written to
 * one.
 */
export class IdTransformer extends OperationNodeTransformer {
  // Kysely calls plugins again when a converted query becomes part of another
  // query. The nodes in this set are not converted again.
  readonly #converted = new WeakSet<OperationNode>()
  readonly #isId: ((value: unknown) => boolean) | undefined
  #scope = EMPTY
  /** The shape of the column that a value is compared with or written to. */
  #target: Shape = placeOf('the query')

  /** @param isId returns whether a value is an id that has to be converted */
  constructor(isId: ((value: unknown) => boolean) | undefined) {
    super()
    this.#isId = isId
  }

  convertQuery<T extends OperationNode>(node: T, scope: Scope): T {
    // If the previous query threw, its nodes are still on Kysely's stack.
    this.nodeStack.length = 0
    this.#scope = scope
    return this.transformNode(node)
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T): T {
    if (this.#converted.has(node)) return node
    const [scope, target] = [this.#scope, this.#target]
    if (isQuery(node)) this.#scope = enter(node, scope)
    // The ids in the SELECT of a CREATE VIEW are converted before this call. An
    // id elsewhere in the statement belongs to no column: the empty scope makes
    // it throw.
    if (node.kind === 'CreateViewNode') this.#scope = EMPTY
    if (!TRANSPARENT.has(node.kind))
      this.#target = placeOf(
        node.kind === 'RawNode' ? 'a sql fragment' : 'the query',
      )
    const copy = super.transformNodeImpl(node)
    this.#scope = scope
    this.#target = target
    return copy
  }

  protected override transformValue(node: Kysely.ValueNode) {
    return this.#mark({ ...node, value: this.#write(node.value) })
  }

  protected override transformPrimitiveValueList(
    node: Kysely.PrimitiveValueListNode,
  ) {
    const values = node.values.map((value) => this.#write(value))
    return this.#mark({ ...node, values })
  }

  protected override transformFunction(node: Kysely.FunctionNode) {
    this.#target = isChoice(node.func)
      ? (this.#shapeOf(node) ?? this.#target)
      : placeOf(`${node.func}(…)`)
    return super.transformFunction(node)
  }

  protected override transformCase(node: Kysely.CaseNode) {
    this.#target = this.#shapeOf(node) ?? this.#target
    const value = node.value && this.#shapeOf(node.value)
    const when = node.when?.map((one) => ({
      ...one,
      condition: this.#convert(one.condition, value ?? placeOf('case …')),
      ...(one.result && { result: this.transformNode(one.result) }),
    }))
    return { ...super.transformCase({ ...node, when: [] }), when: when ?? [] }
  }

  protected override transformBinaryOperation(
    node: Kysely.BinaryOperationNode,
  ) {
    const { leftOperand, rightOperand } = node
    const operator = operatorOf(node)
    const [left, right] = [leftOperand, rightOperand].map(this.#shapeOf)
    const isCompared = isComparison(node)
    const id = [left, right].find((one) => hasIds(one) && one.write)
    if (id && !isCompared && this.#isId)
      fail(`${id.place} for the operator ${operator}`)
    const place = placeOf(`${nameOf(leftOperand)} ${operator} …`)
    const convert = (operand: OperationNode, other: Shape | undefined) =>
      this.#convert(operand, (isCompared && other) || place)
    return {
      ...node,
      leftOperand: convert(leftOperand, right),
      operator: this.transformNode(node.operator),
      rightOperand: convert(rightOperand, left),
    }
  }

  protected override transformColumnUpdate(node: Kysely.ColumnUpdateNode) {
    const value = this.#assign(node.value, this.#targetOf(node.column))
    return { ...node, column: this.transformNode(node.column), value }
  }

  protected override transformInsertQuery(node: Kysely.InsertQueryNode) {
    const targets = (node.columns ?? []).map(this.#targetOf)
    const values = node.values && known(node.values)
    if (values?.kind === 'SelectQueryNode') {
      const outputs = outputsOf(values, this.#scope)
      // If the SELECT has unknown columns (`…`), it is not known which of its
      // columns is inserted into which column.
      const isMoved = outputs.some(({ name }) => name === '…')
      const isStored = ({ shape }: Column, i: number) =>
        fits(shape, isMoved ? undefined : targets[i])
      if (!outputs.every(isStored)) fail('INSERT … SELECT')
      const selections = values.selections?.map((one, i) => ({
        ...one,
        selection: isValue(one.selection)
          ? this.#assign(one.selection, targets[i])
          : one.selection,
      }))
      const converted = { ...values, selections: selections ?? [] }
      return super.transformInsertQuery({ ...node, values: converted })
    }
    if (values?.kind !== 'ValuesNode') return super.transformInsertQuery(node)
    const rows = values.values.map((row) =>
      row.kind === 'ValueListNode'
        ? {
            ...row,
            values: row.values.map((one, i) => this.#assign(one, targets[i])),
          }
        : {
            ...row,
            values: row.values.map((one, i) => this.#write(one, targets[i])),
          },
    )
    const converted = this.#mark({ ...values, values: rows })
    return super.transformInsertQuery({ ...node, values: converted })
  }

  #assign<T extends OperationNode>(node: T, target = this.#target): T {
    if (!fits(this.#shapeOf(node), target))
      fail(`an expression in ${target.place}`)
    return this.#convert(node, target)
  }

  #convert<T extends OperationNode>(node: T, target: Shape): T {
    const before = this.#target
    this.#target = target
    const copy = this.transformNode(node)
    this.#target = before
    return copy
  }

  /** Converts a value. Throws for an id whose target accepts no ids. */
  #write(value: unknown, { write, place } = this.#target): unknown {
    if (write) return write(value)
    const [id] = [value].flat(Infinity).filter((one) => this.#isId?.(one))
    if (id !== undefined) fail(`${id} in ${place}`)
    return value
  }

  #mark<T extends OperationNode>(node: T): T {
    this.#converted.add(node)
    return node
  }

  #shapeOf = (node: OperationNode) => shapeOf(node, this.#scope)
  #targetOf = (node: OperationNode): Shape => {
    const { target } = this.#scope
    const name = nameOf(node)
    const shape =
      target && node.kind === 'ColumnNode'
        ? shapeIn(target, name)
        : this.#shapeOf(node)
    return shape ?? placeOf(`column ${name}`)
  }
}
