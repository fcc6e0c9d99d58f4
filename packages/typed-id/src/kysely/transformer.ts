import {
  type BinaryOperationNode,
  type ColumnUpdateNode,
  FunctionNode,
  type InsertQueryNode,
  type OperationNode,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  QueryNode,
  RawNode,
  SelectQueryNode,
  ValueListNode,
  type ValueNode,
  ValuesNode,
} from 'kysely'
import { isComparison, nameOf, operatorOf } from './nodes.ts'
import { columnsIn, enter, outputsOf, shapeOf } from './queries.ts'
import { columnIn, lose, type Scope } from './scope.ts'
import { fail, hasIds, hasSameIds, type Shape } from './shapes.ts'

/**
 * Nodes of values and lists, such as the list of `in (…)`. Their values are
 * converted for the column that the list is compared with or written to.
 */
const LISTS = [
  'AndNode',
  'PrimitiveValueListNode',
  'ValueListNode',
  'ValueNode',
]

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
  #scope: Scope
  /**
   * The shape of the column that the visited node is compared with or written
   * to. Anywhere else in a query, a shape that accepts no ids.
   */
  #target = placeOf('the query')

  constructor(root: Scope) {
    super()
    this.#scope = root
  }

  convertQuery<T extends OperationNode>(node: T, root: Scope): T {
    // If the previous query threw, its nodes are still on Kysely's stack.
    this.nodeStack.length = 0
    this.#scope = root
    return this.transformNode(node)
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T): T {
    if (this.#converted.has(node)) return node
    const [scope, target] = [this.#scope, this.#target]
    if (QueryNode.is(node)) this.#scope = enter(node, scope)
    // The SELECT of a CREATE VIEW has already been converted. Without `tables`,
    // the plugin finds no id columns in the SELECT, and converts nothing again.
    if (node.kind === 'CreateViewNode')
      this.#scope = { ...scope, tables: new Map() }
    // Throws for functions that may change an id, as in `order by lower(id)`.
    if (FunctionNode.is(node)) this.#shapeOf(node)
    if (!LISTS.includes(node.kind))
      this.#target = placeOf(RawNode.is(node) ? 'a sql fragment' : 'the query')
    const copy = super.transformNodeImpl(node)
    this.#scope = scope
    this.#target = target
    return copy
  }

  protected override transformValue(node: ValueNode) {
    return this.#mark({ ...node, value: this.#write(node.value) })
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode) {
    const values = node.values.map((value) => this.#write(value))
    return this.#mark({ ...node, values })
  }

  protected override transformBinaryOperation(node: BinaryOperationNode) {
    const { leftOperand, rightOperand } = node
    const operator = operatorOf(node)
    const [left, right] = [leftOperand, rightOperand].map(this.#shapeOf)
    const [id, other = id] = [left, right].filter(hasIds)
    const isCompared = isComparison(node)
    if (!isCompared || !id?.write || !other?.write || other.key !== id.key)
      lose([{ shape: id }], this.#scope, `the operator ${operator} of`)
    const place = placeOf(`${nameOf(leftOperand)} ${operator} …`)
    const convert = (operand: OperationNode, shape: Shape | undefined) =>
      this.#convert(operand, (isCompared && shape) || place)
    return {
      ...node,
      leftOperand: convert(leftOperand, right),
      operator: this.transformNode(node.operator),
      rightOperand: convert(rightOperand, left),
    }
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode) {
    const value = this.#assign(node.value, this.#targetOf(node.column))
    return { ...node, column: this.transformNode(node.column), value }
  }

  protected override transformInsertQuery(node: InsertQueryNode) {
    const targets = (node.columns ?? []).map(this.#targetOf)
    const { values } = node
    if (values && SelectQueryNode.is(values)) this.#checkSelect(values, targets)
    if (!values || !ValuesNode.is(values))
      return super.transformInsertQuery(node)
    const rows = values.values.map((row) =>
      ValueListNode.is(row)
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

  #checkSelect(query: QueryNode, targets: readonly Shape[]) {
    const outputs = columnsIn(outputsOf(query, this.#scope))
    // INSERT assigns columns by position. A SELECT with an unknown number of
    // columns (`…`) must therefore contain no ids.
    const hasUnknown = outputs.some(({ name }) => name === '…')
    const lost = outputs.filter(
      ({ shape }, i) => hasUnknown || !hasSameIds(shape, targets[i]),
    )
    lose(lost, this.#scope, 'INSERT … SELECT of')
  }

  #assign<T extends OperationNode>(node: T, target = this.#target): T {
    const shape = this.#shapeOf(node)
    if (!hasSameIds(shape, target))
      lose([{ shape }], this.#scope, `in ${target.place} an expression with`)
    return this.#convert(node, target)
  }

  #convert<T extends OperationNode>(node: T, target = this.#target): T {
    const before = this.#target
    this.#target = target
    const copy = this.transformNode(node)
    this.#target = before
    return copy
  }

  /** Converts a value for an id column. For any other place, rejects ids. */
  #write(value: unknown, { write, place } = this.#target): unknown {
    if (write) return write(value)
    const id = [value].flat(Infinity).find(this.#scope.isId)
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
    const column = target && columnIn(target.columns, name)
    return column?.shape ?? placeOf(`column ${name}`)
  }
}
