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

const CASE =
  /^## (.+)\n\n`(.+)`\n\n```\w+\n([\s\S]*?)```\n\n(?:unchanged|becomes\n\n```\w+\n([\s\S]*?)```)$/gm

/** The cases in `cases/<package>.md`, which contain ␍ for a carriage return and ␂ for a byte order mark. */
export const CASES: readonly Case[] = (Object.keys(RULES) as (keyof typeof RULES)[]).flatMap((from) => {
  const text = readFileSync(join(import.meta.dirname, 'cases', `${from}.md`), 'utf8')
  return [...text.matchAll(CASE)].map(([, title = '', name = '', before = '', after = before]) => ({
    from,
    title,
    name,
    before: decode(before),
    after: decode(after),
  }))
})

function decode(text: string): string {
  return text.replaceAll('␍', '\r').replaceAll('␂', '\ufeff')
}
