import { readFileSync } from 'node:fs'

interface Place {
  readonly line: number
  readonly column: number
}

/** As much as we read of the report: https://github.com/stryker-mutator/mutation-testing-elements */
interface Report {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>
}

interface Mutant {
  readonly status: string
  readonly replacement: string
  readonly location: { readonly start: Place; readonly end: Place }
}

/** The changes that no test has noticed and that the list does not explain: file, code, and what it was changed to. */
export function unlistedSurvivors(report: string): string[] {
  const list = readFileSync(new URL('survivors.md', import.meta.url), 'utf8')
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report
  return Object.entries(files)
    .flatMap(([name, { source, mutants }]) =>
      mutants
        .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
        .map(
          ({ location, replacement }) => `${name} ${code(textAt(source, location))} to ${code(replacement)}`,
        ),
    )
    .filter((survivor) => !list.includes(`- ${survivor}: `))
}

const code = (text: string) => `\`${text.replace(/\s+/g, ' ')}\``

/** Lines and columns count from 1. */
function textAt(source: string, { start, end }: Mutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  lines.push((lines.pop() ?? '').slice(0, end.column - 1))
  lines[0] = (lines[0] ?? '').slice(start.column - 1)
  return lines.join('\n')
}
