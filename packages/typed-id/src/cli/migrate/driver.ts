import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MigrationError } from './error.ts'

/** Imports a driver from the project in the current folder: typed-id itself has no dependencies. */
export async function importDriver<T>(name: string, engine: string): Promise<T> {
  const require = createRequire(join(process.cwd(), 'package.json'))
  let path: string
  try {
    path = require.resolve(name)
  } catch {
    throw new MigrationError(
      `${engine} needs the package ${name} in the current project: npm install ${name}`,
    )
  }
  const { default: driver } = await import(pathToFileURL(path).href)
  return driver as T
}
