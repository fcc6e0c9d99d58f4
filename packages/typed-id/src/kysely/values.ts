import type * as Kysely from 'kysely'
import { type OperationNode, OperationNodeTransformer } from 'kysely'
import type { IdStorage } from '../codec.ts'
import { fail, isCodec, PLAIN, type Shape } from './shapes.ts'
import {
  enter,
  expand,
  isChoice,
  isComparison,
  isQuery,
  type KnownNode,
  known,
  operatorOf,
  outputsOf,
  type Scope,
  shapeOfOperand,
  shapeOfTarget,
} from './tables.ts'

/**
 * Copies a query with ids in the form that the database stores. Throws if the
 * query contains an id that is neither compared with an id column nor written
 * to one.
 */
export class IdTransformer extends OperationNodeTransformer {
  // Nodes that are converted already: Kysely calls plugins again when a
  // converted query becomes part of another query.
  readonly #converted = new WeakSet<OperationNode>()
  readonly #storage: IdStorage
  readonly #isId: (value: unknown) => boolean
  readonly #root: Scope
  #scope: Scope
  #place = ''

  /** @param isId whether a value is an id that has to be converted */
  constructor(
    storage: IdStorage,
    root: Scope,
    isId: (value: unknown) => boolean,
  ) {
    super()
    this.#storage = storage
    this.#isId = isId
    this.#root = root
    this.#scope = root
  }

  convertQuery<T extends OperationNode>(node: T): T {
    // An error in an earlier query has left its nodes there.
    this.nodeStack.length = 0
    this.#scope = this.#root
    this.#place = 'the query'
    return this.transformNode(node)
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T): T {
    if (this.#converted.has(node)) return node
    const [scope, place] = [this.#scope, this.#place]
    if (isQuery(node)) this.#scope = enter(node, scope)
    const copy = super.transformNodeImpl(node)
    this.#scope = scope
    this.#place = place
    return copy
  }

  // Kysely has already converted the ids of a view's query. A scope without
  // tables makes any other id in it an error.
  protected override transformCreateView(
    node: Kysely.CreateViewNode,
  ): Kysely.CreateViewNode {
    this.#scope = { tables: new Map(), named: new Map(), sources: [] }
    return super.transformCreateView(node)
  }

  protected override transformValue(node: Kysely.ValueNode): Kysely.ValueNode {
    this.#rejectIds(node.value)
    return super.transformValue(node)
  }

  protected override transformPrimitiveValueList(
    node: Kysely.PrimitiveValueListNode,
  ): Kysely.PrimitiveValueListNode {
    this.#rejectIds(node.values)
    return super.transformPrimitiveValueList(node)
  }

  protected override transformRaw(node: Kysely.RawNode): Kysely.RawNode {
    this.#place = 'a sql fragment'
    return super.transformRaw(node)
  }

  protected override transformFunction(
    node: Kysely.FunctionNode,
  ): Kysely.FunctionNode {
    this.#place = `${node.func}(…)`
    const shape = isChoice(node.func) ? this.#shapeOf(node) : undefined
    return super.transformFunction(this.#convert(node, shape))
  }

  protected override transformAggregateFunction(
    node: Kysely.AggregateFunctionNode,
  ): Kysely.AggregateFunctionNode {
    this.#place = `${node.func}(…)`
    return super.transformAggregateFunction(node)
  }

  protected override transformCase(node: Kysely.CaseNode): Kysely.CaseNode {
    const results = this.#convert(node, this.#shapeOf(node))
    const value = node.value && this.#shapeOf(node.value)
    return super.transformCase({
      ...results,
      when: results.when?.map((when) => ({
        ...when,
        condition: this.#convert(when.condition, value),
      })) as typeof node.when & {},
    })
  }

  protected override transformBinaryOperation(
    node: Kysely.BinaryOperationNode,
  ): Kysely.BinaryOperationNode {
    const { leftOperand, rightOperand } = node
    const [left, right] = [leftOperand, rightOperand].map((operand) =>
      this.#shapeOf(operand),
    )
    this.#place = `${nameOf(leftOperand)} ${operatorOf(node)} …`
    if (isComparison(node))
      return super.transformBinaryOperation({
        ...node,
        leftOperand: this.#convert(leftOperand, right),
        rightOperand: this.#convert(rightOperand, left),
      })
    const [codec] = [left, right].filter(isCodec)
    if (codec && this.#storage !== 'text')
      fail(`${codec.place} for the operator ${operatorOf(node)}`)
    return super.transformBinaryOperation(node)
  }

  protected override transformColumnUpdate(
    node: Kysely.ColumnUpdateNode,
  ): Kysely.ColumnUpdateNode {
    this.#place = `column ${nameOf(node.column)}`
    return super.transformColumnUpdate({
      ...node,
      value: this.#write(node.value, this.#targetOf(node.column)),
    })
  }

  protected override transformInsertQuery(
    node: Kysely.InsertQueryNode,
  ): Kysely.InsertQueryNode {
    const { values, columns = [] } = node
    const targets = columns.map((column) => this.#targetOf(column))
    const names = columns.map(nameOf)
    const from = values && known(values)
    return super.transformInsertQuery(
      from?.kind === 'ValuesNode'
        ? { ...node, values: this.#convertRows(from, targets, names) }
        : from?.kind === 'SelectQueryNode'
          ? { ...node, values: this.#convertSelect(from, targets) }
          : node,
    )
  }

  /**
   * Converts the rows of VALUES. A row is a list of nodes if one of its values
   * is an expression.
   */
  #convertRows(
    node: Kysely.ValuesNode,
    targets: readonly (Shape | undefined)[],
    names: readonly string[],
  ): Kysely.ValuesNode {
    return {
      ...node,
      values: node.values.map((row) => {
        if (row.kind === 'ValueListNode') {
          const values = row.values.map((value, i) => {
            this.#place = `column ${names[i]}`
            // With the place of its column.
            return this.transformNode(this.#write(value, targets[i]))
          })
          return this.#mark({ ...row, values })
        }
        const values = row.values.map((value, i) => {
          this.#place = `column ${names[i]}`
          const write = targets[i]?.write
          if (!write) this.#rejectIds(value)
          return write ? write(value) : value
        })
        return this.#mark({ ...row, values })
      }),
    }
  }

  /** Converts the values that INSERT … SELECT selects, and checks its columns. */
  #convertSelect(
    query: Kysely.SelectQueryNode,
    targets: readonly (Shape | undefined)[],
  ): OperationNode {
    const outputs = outputsOf(query, this.#scope)
    const shapes = expand(outputs).map(({ shape }) => shape)
    const isMoved = outputs.some(({ all }) => all) || targets.length === 0
    if (
      isMoved
        ? shapes.some(Boolean) || targets.some(isCodec)
        : shapes.some((shape, i) => !fits(shape, targets[i]))
    )
      fail('INSERT … SELECT')
    return {
      ...query,
      selections: query.selections?.map((one, i) => ({
        ...one,
        selection: this.#convert(one.selection, targets[i]),
      })),
    } as Kysely.SelectQueryNode
  }

  /** Converts a value that is written to a column, or checks the expression. */
  #write<T extends OperationNode>(node: T, target: Shape | undefined): T {
    if (!fits(this.#shapeOf(node), target))
      fail(`an expression in ${this.#place}`)
    return this.#convert(node, target)
  }

  /**
   * Converts the values in an operand, but not the values of another function
   * or of another query.
   */
  #convert<T extends OperationNode>(part: T, shape: Shape | undefined): T {
    const write = shape?.write
    if (!write || this.#converted.has(part)) return part
    const convert = <N extends OperationNode>(node: N) =>
      this.#convert(node, shape)
    const convertNode = (): KnownNode => {
      const node = known(part)
      switch (node.kind) {
        case 'ValueNode':
          return this.#mark({ ...node, value: write(node.value) })
        case 'PrimitiveValueListNode':
          return this.#mark({ ...node, values: node.values.map(write) })
        case 'ValueListNode':
          return { ...node, values: node.values.map(convert) }
        case 'AliasNode':
        case 'ParensNode':
          return { ...node, node: convert(node.node) }
        case 'AndNode':
          return {
            ...node,
            left: convert(node.left),
            right: convert(node.right),
          }
        case 'FunctionNode':
          return isChoice(node.func)
            ? { ...node, arguments: node.arguments.map(convert) }
            : node
        case 'CaseNode':
          return {
            ...node,
            ...(node.else && { else: convert(node.else) }),
            when: node.when?.map((when) =>
              when.result ? { ...when, result: convert(when.result) } : when,
            ),
          } as Kysely.CaseNode
        default:
          return node
      }
    }
    return convertNode() as T
  }

  #mark<T extends OperationNode>(node: T): T {
    this.#converted.add(node)
    return node
  }

  #rejectIds(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) this.#rejectIds(item)
    else if (this.#isId(value)) fail(`${value} in ${this.#place}`)
  }

  #shapeOf = (node: OperationNode) => shapeOfOperand(node, this.#scope)
  #targetOf = (node: OperationNode) => shapeOfTarget(node, this.#scope)
}

/** Returns whether a column stores the ids of an expression. */
function fits(shape: Shape | undefined, target: Shape | undefined): boolean {
  if (!shape || shape === PLAIN || target === PLAIN) return true
  return (
    isCodec(shape) &&
    isCodec(target) &&
    shape.prefixes.every((prefix) => target.prefixes.includes(prefix))
  )
}

function nameOf(node: OperationNode): string {
  const named = known(node)
  if (named.kind === 'ReferenceNode') return nameOf(named.column)
  return named.kind === 'ColumnNode' ? named.column.name : '…'
}
