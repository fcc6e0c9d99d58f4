import ts from 'typescript'

/** A file with its syntax tree. The checker resolves names within the file only, and reads no other file. */
export interface Source {
  readonly file: ts.SourceFile
  readonly checker: ts.TypeChecker
}

/**
 * Parses TypeScript or JavaScript, according to the extension of the name.
 *
 * @throws SyntaxError with the line of the first syntax error.
 */
export function parseSource(name: string, text: string): Source {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  const host: ts.CompilerHost = {
    getSourceFile: (requested) => (requested === name ? file : undefined),
    fileExists: (requested) => requested === name,
    readFile: () => undefined,
    writeFile: () => {},
    getDefaultLibFileName: () => '',
    getCurrentDirectory: () => '',
    getCanonicalFileName: (requested) => requested,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
  }
  const options: ts.CompilerOptions = {
    allowJs: true,
    noLib: true,
    noResolve: true,
    types: [],
    target: ts.ScriptTarget.Latest,
    jsx: ts.JsxEmit.Preserve,
  }
  const program = ts.createProgram([name], options, host)
  const [error] = program.getSyntacticDiagnostics(file)
  if (error) {
    const line = file.getLineAndCharacterOfPosition(error.start).line + 1
    throw new SyntaxError(`${name}:${line}: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`)
  }
  return { file, checker: program.getTypeChecker() }
}

/** Yields every node of the tree, in source order. */
export function* walk(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  node.forEachChild((child) => void children.push(child))
  for (const child of children) yield* walk(child)
}

/** Returns the identifiers that refer to a declared name, but not to a declaration that shadows it. */
export function findReferences({ file, checker }: Source, declared: ts.Identifier): ts.Identifier[] {
  const symbol = checker.getSymbolAtLocation(declared)
  return [...walk(file)].filter(
    (node): node is ts.Identifier =>
      ts.isIdentifier(node) &&
      node.text === declared.text &&
      node !== declared &&
      symbol !== undefined &&
      symbolOf(checker, node) === symbol,
  )
}

function symbolOf(checker: ts.TypeChecker, node: ts.Identifier): ts.Symbol | undefined {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent)) return checker.getShorthandAssignmentValueSymbol(parent)
  if (ts.isExportSpecifier(parent)) return checker.getExportSpecifierLocalTargetSymbol(parent)
  return checker.getSymbolAtLocation(node)
}
