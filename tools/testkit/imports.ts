import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** An import of a file, including type imports and `import()`. */
export interface Import {
  readonly file: string
  /** The module specifier, such as `./list.ts` or `testkit/engines.ts`. */
  readonly name: string
}

export type Edge = readonly [from: string, to: string]

/** Returns the imports of files. The paths are relative to `folder`. */
export function importsOf(folder: URL, files: readonly string[]): Import[] {
  return files.flatMap((file) => {
    const text = readFileSync(fileURLToPath(new URL(file, folder)), 'utf8')
    return ts.preProcessFile(text).importedFiles.map(({ fileName }) => ({ file, name: fileName }))
  })
}

/** Returns the path of the file that a relative import names. */
export const targetOf = ({ file, name }: Import): string => posix.join(posix.dirname(file), name)

/** Returns the first cycle in the form `a -> b -> a`, or undefined. */
export function findCycle(edges: readonly Edge[]): string | undefined {
  const next = Map.groupBy(edges, ([from]) => from)
  const done = new Set<string>()
  const search = (node: string, path: readonly string[]): string | undefined => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node].join(' -> ')
    if (done.has(node)) return undefined
    for (const [, to] of next.get(node) ?? []) {
      const cycle = search(to, [...path, node])
      if (cycle) return cycle
    }
    done.add(node)
    return undefined
  }
  for (const node of next.keys()) {
    const cycle = search(node, [])
    if (cycle) return cycle
  }
  return undefined
}

/**
 * Returns the statements in `src` of a package that neither await nor store a promise, or a value that may be a
 * promise, such as `src/users.ts:12 assignRole(…)`. `void` and `.catch(…)` mark this as intended.
 */
export function findFloatingPromises(folder: string): string[] {
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile)
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...config, include: ['src'] },
    ts.sys,
    folder,
  )
  const program = ts.createProgram(fileNames, options)
  const checker = program.getTypeChecker()
  const floating = ({ expression }: ts.ExpressionStatement) => {
    // Skips awaited and assigned expressions early, because their types would take 1.5 s of processor time.
    if (ts.isAwaitExpression(expression) || ts.isBinaryExpression(expression)) return false
    const { name } = ((expression as ts.CallExpression).expression ?? {}) as ts.PropertyAccessExpression
    if (name?.text === 'catch') return false
    const type = checker.getTypeAtLocation(expression)
    return (type.isUnion() ? type.types : [type]).some((part) => part.getProperty('then'))
  }
  const statementsIn = (node: ts.Node): ts.ExpressionStatement[] => [
    ...(ts.isExpressionStatement(node) ? [node] : []),
    ...node.getChildren().flatMap(statementsIn),
  ]
  return fileNames.flatMap((file) => {
    const source = program.getSourceFile(file) as ts.SourceFile
    return statementsIn(source)
      .filter(floating)
      .map((node) => {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart())
        return `${file.slice(folder.length)}:${line + 1} ${node.getText().split('\n')[0]}`
      })
  })
}
