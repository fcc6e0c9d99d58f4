import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTable } from 'testkit/documents.ts'
import ts from 'typescript'

const SOURCES = join(import.meta.dirname, '../src')

export function logTable(): string {
  const rows = globSync('**/*.ts', { cwd: SOURCES }).flatMap((name) => {
    const text = readFileSync(join(SOURCES, name), 'utf8')
    const { Latest } = ts.ScriptTarget
    const source = ts.createSourceFile(name, text, Latest, true)
    return nodesIn(source).filter(ts.isCallExpression).flatMap(rowOf)
  })
  const columns = ['`msg`', 'level', 'fields']
  return formatTable({ columns, rows: rows.sort() })
}

function rowOf(call: ts.CallExpression): string[][] {
  const [, level] = /^log\??\.(\w+)$/.exec(call.expression.getText()) ?? []
  const message = call.arguments.at(-1)
  if (!level || !message || !ts.isStringLiteral(message)) return []
  const fields = call.arguments.slice(0, -1).flatMap(fieldsOf)
  const names = fields.map((field) => `\`${field}\``).join(', ')
  return [[`\`${message.text}\``, level, names]]
}

function fieldsOf(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) {
    const declared = nodesIn(node.getSourceFile())
      .filter(ts.isVariableDeclaration)
      .filter(({ name, end }) => name.getText() === node.text && end < node.pos)
    return childrenOf(declared.at(-1)?.initializer ?? node).flatMap(fieldsOf)
  }
  if (ts.isSpreadAssignment(node)) return fieldsOf(node.expression)
  if (ts.isObjectLiteralElement(node)) return [node.name?.getText() ?? '']
  return childrenOf(node)
    .filter((child) => !ts.isIdentifier(child))
    .flatMap(fieldsOf)
}

const nodesIn = (node: ts.Node): ts.Node[] => [
  node,
  ...childrenOf(node).flatMap(nodesIn),
]

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  return children
}
