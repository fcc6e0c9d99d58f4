/**
 * Writes the requests of a profile into a new folder, in the format of Bruno: `pnpm --filter conformance collection FOLDER a`.
 * A relative folder starts where pnpm was called.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeCollection } from './collections.ts'

const [folder, profile, ...more] = process.argv.slice(2)
if (folder === undefined || (profile !== 'a' && profile !== 'b') || more.length > 0) {
  console.error('expected a folder and a profile, a or b')
  process.exit(2)
}
const path = resolve(process.env.INIT_CWD ?? '.', folder)
if (existsSync(path)) {
  console.error(`expected a new folder, but ${path} exists`)
  process.exit(2)
}
await writeCollection(profile, path)
