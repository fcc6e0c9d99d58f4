import { readFileSync, writeFileSync } from 'node:fs'

const README = new URL('README.md', import.meta.url)

/** Prints a report, and with `WRITE=1` writes it into the README between `<!-- name -->` and `<!-- /name -->`. */
export function report(name: string, lines: string[]): void {
  const text = lines.join('\n')
  console.log(text)
  if (process.env.WRITE !== '1') return
  const old = readFileSync(README, 'utf8')
  const [before, , after] = old.split(new RegExp(`(?<=<!-- ${name} -->\n)([^]*?)(?=<!-- /${name} -->)`))
  if (after === undefined) throw new Error(`README.md has no <!-- ${name} -->`)
  writeFileSync(README, `${before}${text}\n${after}`)
}
