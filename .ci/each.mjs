import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export const root = join(import.meta.dirname, '..')
export const read = (file) => readFileSync(join(root, file), 'utf8')

export const env = {
  ...process.env,
  PATH: process.env.PATH.split(delimiter)
    .filter((path) => !path.startsWith(root))
    .join(delimiter),
}

export async function each(names, work) {
  for (const name of names) {
    const started = Date.now()
    let error
    try {
      await work(name)
    } catch (thrown) {
      error = thrown
    }
    const seconds = Math.round((Date.now() - started) / 1000)
    console.log(`${error ? 'FAILED' : 'ok'} (${seconds} s): ${name}`)
    if (!error) continue
    process.exitCode = 1
    const { stdout = '', stderr = '' } = error
    console.log(`${error.message}\n${stdout}\n${stderr}`.slice(-4000))
  }
}
