import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RULES } from '../src/rules.ts'

/** A file before and after the codemod from a package. */
export interface Case {
  readonly from: keyof typeof RULES
  readonly title: string
  readonly name: string
  readonly before: string
  readonly after: string
}

const CASE = /^## (.+)\n\n```diff (.+)\n([\s\S]*?)```$/gm

/**
 * The cases in `cases/<package>.md`: the change of a file as a diff with all of its lines. They contain ␍ for a carriage
 * return and ␂ for a byte order mark.
 */
export const CASES: readonly Case[] = (Object.keys(RULES) as (keyof typeof RULES)[]).flatMap((from) => {
  const text = readFileSync(join(import.meta.dirname, 'cases', `${from}.md`), 'utf8')
  return [...text.matchAll(CASE)].map(([, title = '', name = '', diff = '']) => ({
    from,
    title,
    name,
    before: decode(diff, '+'),
    after: decode(diff, '-'),
  }))
})

/** Returns the lines of a diff without those that start with `left`. */
function decode(diff: string, left: string): string {
  const lines = diff.split(/(?<=\n)/).filter((line) => !line.startsWith(left))
  return lines
    .map((line) => line.slice(1))
    .join('')
    .replaceAll('␍', '\r')
    .replaceAll('␂', '\ufeff')
}
