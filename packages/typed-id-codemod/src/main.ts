#!/usr/bin/env node
/*
 * Usage: typed-id-codemod <typeid-js | uuid | nanoid> <file or folder> ...
 * Rewrites the files in place, and prints the names of those that have changed.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rewrite } from './rewrite.ts'
import { RULES, type Rule } from './rules.ts'

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/
const SKIPPED = /^(node_modules|dist|build|coverage|\..+)$/

const [from = '', ...paths] = process.argv.slice(2)
if (!Object.hasOwn(RULES, from) || paths.length === 0) {
  console.error(`usage: typed-id-codemod <${Object.keys(RULES).join(' | ')}> <file or folder> ...`)
  process.exit(2)
}
const rule: Rule = RULES[from as keyof typeof RULES]

let changed = 0
const files = paths.flatMap(sourcesIn)
for (const file of files) {
  try {
    const text = readSource(file)
    const result = rewrite(file, text, rule)
    if (result === text) continue
    writeFileSync(file, result)
    changed += 1
    console.log(file)
  } catch (error) {
    console.error(`skipped: ${error instanceof Error ? error.message : error}`)
    process.exitCode = 1
  }
}
console.log(`${changed} of ${files.length} files changed`)

/** Returns source files, and also an unreadable path, because reading it as a file reports the reason. */
function sourcesIn(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path]
    return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const inner = join(path, entry.name)
      if (entry.isDirectory()) return SKIPPED.test(entry.name) ? [] : sourcesIn(inner)
      return entry.isFile() && SOURCE.test(entry.name) ? [inner] : []
    })
  } catch {
    return [path]
  }
}

/** Reads UTF-8. Throws for any other encoding, which rewriting would destroy. */
function readSource(file: string): string {
  const bytes = readFileSync(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Error(`${file}: not UTF-8`)
  }
}
