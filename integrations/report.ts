import { readFileSync, writeFileSync } from 'node:fs'
import { replaceSection } from 'testkit/tables.ts'

/** Returns the installed version of a package. */
export function versionOf(name: string): string {
  const file = new URL(`node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}

const README = new URL('README.md', import.meta.url)

/** Prints paragraphs, and with `WRITE=1` writes them into the README between `<!-- name -->` and `<!-- /name -->`. */
export function report(name: string, ...paragraphs: string[]): void {
  const text = paragraphs.join('\n\n')
  console.log(text)
  if (process.env.WRITE === '1')
    writeFileSync(README, replaceSection(readFileSync(README, 'utf8'), name, text))
}
