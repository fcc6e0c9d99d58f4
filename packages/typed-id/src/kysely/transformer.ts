import {
  AndNode,
  type BinaryOperationNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  QueryNode,
  RawNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely'
import { isComparison, isFunction, nameOf, operatorOf } from './nodes.ts'
import {
  createScope,
  haveSameIds,
  outputsOf,
  shapeOf,
  shapesIn,
} from './queries.ts'
import { rejectIds, type Scope } from './scope.ts'
import { fail, fold, hasSameIds, type Shape } from './shapes.ts'

export class IdTransformer extends OperationNodeTransformer {
  // Nodes to skip, because Kysely calls plugins a second time when a converted
  // query becomes part of another query.
  readonly #converted = new WeakSet<OperationNode>()
  #scope!: Scope

  convertQuery<T extends OperationNode>(node: T, root: Scope): T {
    // If the previous query threw, its nodes are still on Kysely's stack.
    this.nodeStack.length = 0
    this.#scope = root
    return this.transformNode(node)
  }

  protected override transformNodeImpl<T extends OperationNode>(node: T): T {
    if (this.#converted.has(node)) return node
    const scope = this.#scope
    if (QueryNode.is(node)) this.#scope = createScope(node, scope)
    // Throws for functions that may change an id, as in `order by lower(id)`.
    if (isFunction(node)) this.#shapeOf(node)
    const copy = super.transformNodeImpl(node)
    this.#scope = scope
    return copy
  }

  protected override transformValue(node: ValueNode) {
    return this.#convertValue(node)
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode) {
    return this.#convertList(node)
  }

  protected override transformBinaryOperation(node: BinaryOperationNode) {
    const { leftOperand, rightOperand } = node
    const operator = operatorOf(node)
    const shapes = [leftOperand, ...itemsOf(rightOperand)]
      .map(this.#shapeOf)
      .filter((shape) => shape !== undefined)
    const [id] = shapes
    const isCompared =
      isComparison(node) &&
      shapes.every((other) => other.write && hasSameIds(other, id))
    if (!isCompared)
      rejectIds(shapes, this.#scope, `the operator ${operator} of`)
    const place = { place: `${nameOf(leftOperand)} ${operator} …` }
    const target = (isCompared && id) || place
    return {
      ...node,
      leftOperand: this.#convert(leftOperand, target),
      operator: this.transformNode(node.operator),
      rightOperand: this.#convert(rightOperand, target),
    }
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode) {
    const value = this.#assign(node.value, this.#targetOf(node.column))
    return { ...node, column: this.transformNode(node.column), value }
  }

  protected override transformInsertQuery(node: InsertQueryNode) {
    const { columns = [], values } = node
    const targets = columns.map(this.#targetOf)
    if (values && QueryNode.is(values)) {
      const outputs = outputsOf(values, this.#scope)
      const assigned = targets.map(
        (shape) => new Map([['', { name: '', shape }]]),
      )
      if (!haveSameIds(outputs, assigned))
        rejectIds(shapesIn(outputs), this.#scope, 'INSERT … SELECT of')
    }
    if (!values || !ValuesNode.is(values))
      return super.transformInsertQuery(node)
    const rows = values.values.map((row) =>
      ValueListNode.is(row)
        ? ValueListNode.create(
            row.values.map((value, i) => this.#assign(value, targets[i])),
          )
        : PrimitiveValueListNode.create(
            row.values.map((value, i) => this.#write(value, targets[i])),
          ),
    )
    const converted = this.#mark(ValuesNode.create(rows))
    return super.transformInsertQuery({ ...node, values: converted })
  }

  #assign(node: OperationNode, target?: Shape): OperationNode {
    const shape = this.#shapeOf(node)
    if (!hasSameIds(shape, target))
      rejectIds(
        [shape, shape && target],
        this.#scope,
        `in ${target?.place} an expression with`,
      )
    return this.#convert(node, target)
  }

  #convert(node: OperationNode, target?: Shape): OperationNode {
    const convert = (part: OperationNode) => this.#convert(part, target)
    if (this.#converted.has(node)) return node
    if (ValueNode.is(node)) return this.#convertValue(node, target)
    if (PrimitiveValueListNode.is(node)) return this.#convertList(node, target)
    if (ValueListNode.is(node))
      return ValueListNode.create(node.values.map(convert))
    return AndNode.is(node)
      ? AndNode.create(convert(node.left), convert(node.right))
      : this.transformNode(node)
  }

  #convertValue = (node: ValueNode, target?: Shape) =>
    this.#mark({ ...node, value: this.#write(node.value, target) })

  #convertList = (node: PrimitiveValueListNode, target?: Shape) =>
    this.#mark({
      ...node,
      values: node.values.map((value) => this.#write(value, target)),
    })

  #write(value: unknown, target?: Shape): unknown {
    if (target?.write) return target.write(value)
    const id = [value].flat(Infinity).find(this.#scope.isId)
    const isSql = this.nodeStack.some(RawNode.is)
    const place = target?.place ?? (isSql ? 'a sql fragment' : 'the query')
    if (id !== undefined) fail(`${id} in ${place}`)
    return value
  }

  #mark<T extends OperationNode>(node: T): T {
    this.#converted.add(node)
    return node
  }

  #shapeOf = (node: OperationNode) => shapeOf(node, this.#scope)
  #targetOf = (node: OperationNode): Shape => {
    const name = nameOf(node)
    const column = this.#scope.target?.columns.get(fold(name))
    return column?.shape ?? { place: `column ${name}` }
  }
}

function itemsOf(node: OperationNode): readonly OperationNode[] {
  if (AndNode.is(node)) return [node.left, node.right]
  return ValueListNode.is(node) ? node.values : [node]
}
