import { readFileSync } from 'node:fs'

interface Place {
  readonly line: number
  readonly column: number
}

/** The part of the report that is read here: https://github.com/stryker-mutator/mutation-testing-elements */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

interface Mutant {
  readonly status: string
  readonly replacement: string
  readonly location: { readonly start: Place; readonly end: Place }
}

/** Returns the survivors that survivors.md does not list: file, code and replacement. */
export function findUnlistedSurvivors(report: string): string[] {
  const list = readFileSync(new URL('survivors.md', import.meta.url), 'utf8')
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return Object.entries(files)
    .flatMap(([name, { source, mutants }]) =>
      mutants
        .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
        .map(
          ({ location, replacement }) =>
            `${name} ${code(readCode(source, location))} to ${code(replacement)}`,
        ),
    )
    .filter((survivor) => !list.includes(`- ${survivor}: `))
}

const code = (text: string) => `\`${text.replace(/\s+/g, ' ')}\``

/** Returns the code at a location. Lines and columns of Stryker start at 1. */
function readCode(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines.push((lines.pop() ?? '').slice(0, end.column - 1))
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return lines.join('\n')
}
