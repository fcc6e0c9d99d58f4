import { readFileSync } from 'node:fs'

/** Returns the installed version of a package. */
export function versionOf(name: string): string {
  const file = new URL(`node_modules/${name}/package.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
