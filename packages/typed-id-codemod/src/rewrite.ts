import ts from 'typescript'
import { createComment } from './comment.ts'
import { applyEdits, type Edit } from './edits.ts'
import { type Element, exportedName, findImports, type Import, type Use } from './imports.ts'
import type { Rule } from './rules.ts'
import { parseSource } from './source.ts'

/**
 * Returns the content of a file with imports of typed-id in place of imports of another package, if both behave the
 * same. Adds comments where a person has to choose an id type. All other characters stay as they are.
 *
 * @throws SyntaxError when the file does not parse.
 */
export function rewrite(name: string, text: string, rule: Rule): string {
  if (!rule.packages.some((packageName) => text.includes(packageName))) return text
  const source = parseSource(name, text)
  const edits = findImports(source, rule.packages).flatMap((found): Edit[] => {
    const moves = findMoves(found, rule)
    return [
      ...moveNames(found, rule, moves),
      ...found.uses.flatMap((use) => createComments(use, rule)),
      ...(found.form === 'mock' && rule.mock ? [createComment(found.specifier, rule.mock)] : []),
    ]
  })
  return applyEdits(source.file, edits)
}

/** Returns the exports to move, with their names in the target: every use of such an export behaves the same there. */
function findMoves({ elements, uses }: Import, { moves }: Rule): Map<string, string> {
  if (moves === 'all') return new Map()
  const known = [...elements.map(exportedName), ...uses.map(({ exported }) => exported ?? '')]
  const movable = known.filter(
    (name) => Object.hasOwn(moves, name) && uses.every((use) => use.exported !== name || !hasArguments(use)),
  )
  return new Map(movable.map((name) => [name, moves[name] as string]))
}

function hasArguments({ node }: Use): boolean {
  let callee: ts.Node = node
  while (isWrapper(callee.parent)) callee = callee.parent
  const { parent } = callee
  if (ts.isPropertyAccessExpression(parent) && /^(apply|bind|call)$/.test(parent.name.text)) return true
  return ts.isCallExpression(parent) && parent.expression === callee && parent.arguments.length > 0
}

/** Returns whether a node only wraps an expression, as in `(v4)`, `v4!` or `v4 as …`. */
const isWrapper = (node: ts.Node) =>
  ts.isParenthesizedExpression(node) ||
  ts.isNonNullExpression(node) ||
  ts.isAssertionExpression(node) ||
  ts.isSatisfiesExpression(node)

function moveNames(found: Import, rule: Rule, moves: Map<string, string>): Edit[] {
  const { specifier, form, elements, uses } = found
  const moveSpecifier = { start: specifier.getStart() + 1, end: specifier.end - 1, text: rule.target }
  if (rule.moves === 'all') return [moveSpecifier]
  if (form === 'namespace' || form === 'member') {
    const isWhole = uses.length > 0 && uses.every(({ exported = '' }) => moves.has(exported))
    const members = uses.filter(({ node }) => ts.isPropertyAccessExpression(node))
    return isWhole ? [moveSpecifier, ...members.map((use) => renameMember(use, moves))] : []
  }
  const moved = elements.filter((element) => moves.has(exportedName(element)))
  if (moved.length === 0) return []
  if (moved.length === elements.length) {
    return [moveSpecifier, ...moved.map((element) => replaceElement(element, moves))]
  }
  return splitStatement(found, rule, moved, moves)
}

function renameMember({ node, exported }: Use, moves: Map<string, string>): Edit {
  const { name } = node as ts.PropertyAccessExpression
  return { start: name.getStart(), end: name.end, text: moves.get(exported ?? '') as string }
}

const replaceElement = (element: Element, moves: Map<string, string>): Edit => ({
  start: (element.propertyName ?? element.name).getStart(),
  end: element.name.end,
  text: elementText(element, moves),
})

/** Returns the import of an export under its name in the target, with an alias if the file uses another name. */
function elementText(element: Element, moves: Map<string, string>): string {
  const target = moves.get(exportedName(element)) as string
  const local = element.name.getText()
  return target === local ? local : target + (ts.isBindingElement(element) ? ': ' : ' as ') + local
}

/** Removes the moved names from the statement, and adds a statement that imports them from the target. */
function splitStatement(
  { specifier, elements }: Import,
  rule: Rule,
  moved: Element[],
  moves: Map<string, string>,
): Edit[] {
  const statement = ts.findAncestor(specifier, ts.isStatement)
  const first = elements[0]
  if (!statement || !first) return []
  const list = first.parent
  if (ts.isVariableStatement(statement) && statement.declarationList.declarations.length > 1) return []
  // A branch of an `if` without braces can contain one statement only.
  if (!ts.isSourceFile(statement.parent) && !ts.isBlock(statement.parent)) return []
  const firstKept = elements.findIndex((element) => !moved.includes(element))
  const removals = moved.map((element): Edit => {
    const index = elements.indexOf(element)
    const [start, end] =
      index < firstKept ? [element.pos, elements[index + 1]?.pos] : [elements[index - 1]?.end, element.end]
    return { start: start as number, end: end as number, text: '' }
  })
  const file = statement.getSourceFile()
  const text = statement.getText()
  const at = (position: number) => position - statement.getStart()
  const names = moved.map((element) => modifier(element) + elementText(element, moves)).join(', ')
  const added =
    text.slice(0, at(list.getStart())) +
    `{ ${names} }` +
    text.slice(at(list.end), at(specifier.getStart()) + 1) +
    rule.target +
    text.slice(at(specifier.end) - 1)
  const indent = /[ \t]*$/.exec(file.text.slice(0, statement.getStart()))?.[0] ?? ''
  const newline = file.text.includes('\r\n') ? '\r\n' : '\n'
  return [...removals, { start: statement.end, end: statement.end, text: newline + indent + added }]
}

const modifier = (element: Element) => (!ts.isBindingElement(element) && element.isTypeOnly ? 'type ' : '')

function createComments(use: Use, rule: Rule): Edit[] {
  const { node, exported = '' } = use
  const text =
    rule.warning?.(use) ?? (Object.hasOwn(rule.advice, exported) ? rule.advice[exported] : undefined)
  if (text === undefined || ts.isExportSpecifier(node.parent) || ts.isTypeQueryNode(node.parent)) return []
  return [createComment(node, text)]
}
