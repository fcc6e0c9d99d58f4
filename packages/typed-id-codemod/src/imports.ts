import ts from 'typescript'
import { findReferences, type Source, walk } from './source.ts'

/** One name in `import { v4 as uuid }`, `export { v4 }` or `const { v4: uuid } = require('uuid')`. */
export type Element = ts.ImportSpecifier | ts.ExportSpecifier | ts.BindingElement

/** A use of an export, such as `uuid` or `module.v4`. In `f(module)`, the name of the export is unknown. */
export interface Use {
  readonly node: ts.Node
  readonly exported: string | undefined
}

/** An expression or statement that loads the package. */
export interface Import {
  /** The string literal that contains the name of the package. */
  readonly specifier: ts.StringLiteralLike
  readonly form: 'names' | 'namespace' | 'member' | 'mock' | 'other'
  /** The imported names, if the form is `names`. */
  readonly elements: readonly Element[]
  readonly uses: readonly Use[]
}

/** Returns the imports of the packages, in source order. */
export function findImports(source: Source, packages: readonly string[]): Import[] {
  return [...walk(source.file)].flatMap((node) => {
    if (!ts.isStringLiteralLike(node) || !packages.includes(node.text)) return []
    const found = readImport(source, node)
    return found ? [{ specifier: node, elements: [], uses: [], ...found }] : []
  })
}

type Found = Partial<Import> & Pick<Import, 'form'>

function readImport(source: Source, specifier: ts.StringLiteralLike): Found | undefined {
  const { parent } = specifier
  if (ts.isImportDeclaration(parent)) return readClause(source, parent.importClause)
  if (ts.isExportDeclaration(parent)) {
    const clause = parent.exportClause
    return clause && ts.isNamedExports(clause)
      ? { form: 'names', elements: [...clause.elements] }
      : { form: 'other' }
  }
  if (ts.isExternalModuleReference(parent)) {
    return ts.isImportEqualsDeclaration(parent.parent)
      ? namespace(source, parent.parent.name)
      : { form: 'other' }
  }
  if (ts.isLiteralTypeNode(parent)) return ts.isImportTypeNode(parent.parent) ? { form: 'other' } : undefined
  if (!ts.isCallExpression(parent) || parent.arguments[0] !== specifier) return undefined
  if (isMock(parent.expression)) return { form: 'mock' }
  return isLoad(source, parent.expression) ? readLoad(source, parent) : undefined
}

function readClause(source: Source, clause: ts.ImportClause | undefined): Found {
  const bindings = clause?.namedBindings
  if (clause?.name) return { form: 'other', uses: usesOf(source, clause.name) }
  if (!bindings) return { form: 'other' }
  if (ts.isNamespaceImport(bindings)) return namespace(source, bindings.name)
  return names(source, [...bindings.elements])
}

/** Reads `require('uuid')` and `await import('uuid')`, and the names to which the result is assigned. */
function readLoad(source: Source, call: ts.CallExpression): Found {
  let value: ts.Expression = call
  while (ts.isAwaitExpression(value.parent) || ts.isParenthesizedExpression(value.parent))
    value = value.parent
  const { parent } = value
  if (ts.isPropertyAccessExpression(parent)) {
    const exported = parent.name.text
    const variable = parent.parent
    const isNamed = ts.isVariableDeclaration(variable) && ts.isIdentifier(variable.name)
    const references = isNamed ? findReferences(source, variable.name as ts.Identifier) : []
    return { form: 'member', uses: [parent, ...references].map((node) => ({ node, exported })) }
  }
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== value) return { form: 'other' }
  if (ts.isIdentifier(parent.name)) return namespace(source, parent.name)
  const elements = [...parent.name.elements].filter(ts.isBindingElement)
  const plain = elements.every(
    (element) => ts.isIdentifier(element.name) && !element.dotDotDotToken && !element.initializer,
  )
  return plain && ts.isObjectBindingPattern(parent.name) ? names(source, elements) : { form: 'other' }
}

const names = (source: Source, elements: Element[]): Found => ({
  form: 'names',
  elements,
  uses: elements.flatMap((element) =>
    findReferences(source, element.name as ts.Identifier).map((node) => ({
      node,
      exported: exportedName(element),
    })),
  ),
})

const namespace = (source: Source, name: ts.Identifier): Found => ({
  form: 'namespace',
  uses: usesOf(source, name),
})

const usesOf = (source: Source, name: ts.Identifier): Use[] =>
  findReferences(source, name).map((node) =>
    ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node
      ? { node: node.parent, exported: node.parent.name.text }
      : { node, exported: undefined },
  )

/** Returns the name that the package exports. */
export const exportedName = ({ propertyName, name }: Element) => (propertyName ?? name).getText()

/** Returns whether a call loads a package: `import()`, or `require()` unless the file declares a `require`. */
function isLoad({ checker }: Source, callee: ts.Expression): boolean {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return true
  if (!ts.isIdentifier(callee) || callee.text !== 'require') return false
  const declarations = checker.getSymbolAtLocation(callee)?.declarations ?? []
  return declarations.every((node) => !node.parent || isCreateRequire(node))
}

const isCreateRequire = (node: ts.Node) =>
  ts.isVariableDeclaration(node) && /createRequire\(/.test(node.getText())

/** Returns whether a call is one like `vi.mock('uuid')` or `jest.requireActual('uuid')`. */
const isMock = (callee: ts.Expression) =>
  ts.isPropertyAccessExpression(callee) &&
  /^(vi|jest)$/.test(callee.expression.getText()) &&
  /mock|actual/i.test(callee.name.text)
