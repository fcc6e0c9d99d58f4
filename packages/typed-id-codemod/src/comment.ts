import ts from 'typescript'
import type { Edit } from './edits.ts'

const MARK = 'TODO typed-id: '
/** Matches comments that apply to the next line, so no line may be inserted after them. */
const DIRECTIVE =
  /^\s*\/[/*]\s*(@ts-|eslint-disable|biome-ignore|prettier-ignore|istanbul|v8 ignore|c8 ignore)/

/**
 * Returns an edit that adds a comment on a line above the code, or an empty edit if the comment exists. In `advice`,
 * `$` becomes the id type, or `<IdType>` if no name next to the code contains a type.
 */
export function createComment(node: ts.Node, advice: string): Edit {
  const file = node.getSourceFile()
  const text = MARK + advice.replace('$', () => guessType(node) ?? '<IdType>')
  const anchor = ts.findAncestor(node, (ancestor) => canFollowComment(ancestor) && startsLine(ancestor))
  if (!anchor) return inlineComment(node, text)
  const line = file.getLineAndCharacterOfPosition(anchor.getStart()).line
  const lineText = (index: number) =>
    file.text.slice(file.getLineStarts()[index], file.getLineStarts()[index + 1])
  // Checks the syntax tree, because a line of a template literal can look like a directive, too.
  const comments = ts.getLeadingCommentRanges(file.text, anchor.getFullStart()) ?? []
  const isComment = (index: number) =>
    comments.some(({ pos }) => file.getLineAndCharacterOfPosition(pos).line === index)
  let at = line
  while (at > 0 && DIRECTIVE.test(lineText(at - 1)) && isComment(at - 1)) at -= 1
  // Inserts after a byte order mark, which has to stay the first character of the file.
  const start = Math.max(file.getLineStarts()[at] ?? 0, file.text.startsWith('\ufeff') ? 1 : 0)
  for (let above = at - 1; above >= 0 && /^\s*\/\//.test(lineText(above)); above--) {
    if (lineText(above).trim() === `// ${text}`) return { start, end: start, text: '' }
  }
  const indent = /^[ \t]*/.exec(lineText(line))?.[0] ?? ''
  const newline = file.text.includes('\r\n') ? '\r\n' : '\n'
  return { start, end: start, text: `${indent}// ${text}${newline}` }
}

/** Returns an edit for a statement that does not start its line. The comment is put before the statement. */
function inlineComment(node: ts.Node, text: string): Edit {
  const comment = `/* ${text} */ `
  const start = (ts.findAncestor(node, ts.isStatement) ?? node).getStart()
  const exists = node.getSourceFile().text.slice(0, start).endsWith(comment)
  return { start, end: start, text: exists ? '' : comment }
}

const canFollowComment = (node: ts.Node) =>
  ts.isStatement(node) || ts.isClassElement(node) || ts.isObjectLiteralElementLike(node)

function startsLine(node: ts.Node): boolean {
  const file = node.getSourceFile()
  const { character } = file.getLineAndCharacterOfPosition(node.getStart())
  return file.text.slice(node.getStart() - character, node.getStart()).trim() === ''
}

/** Returns `UserId` for code next to the names `userId`, `user_id`, `USER_ID` or `user.id`. */
function guessType(node: ts.Node): string | undefined {
  for (
    let child = node, parent = node.parent;
    parent && !ts.isSourceFile(parent);
    child = parent, parent = parent.parent
  ) {
    if (ts.isStatement(parent) || ts.isFunctionLike(parent)) return undefined
    const name = nameOf(parent, child)
    const type = name && typeOf(name)
    if (type) return type
  }
  return undefined
}

function nameOf(node: ts.Node, child: ts.Node): string | undefined {
  if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) {
    return node.initializer === child ? node.name.getText() : undefined
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    return node.right === child ? node.left.getText().split('.').slice(-2).join('_') : undefined
  }
  return undefined
}

function typeOf(name: string): string | undefined {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
  if (words.pop() !== 'id' || words.some((word) => !/^[a-z][a-z0-9]*$/.test(word) || word === 'this'))
    return undefined
  if (words.length === 0) return undefined
  return `${words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('')}Id`
}
