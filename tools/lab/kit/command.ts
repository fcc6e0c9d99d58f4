import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { replaceSection } from 'testkit/documents.ts'

export interface Report {
  readonly section: string
  readonly table: string
  readonly failures: readonly string[]
}

const MAX_SHOWN_FAILURES = 20

/**
 * `defaults` contains the command's own options. Every command also has the
 * option `--write`, the document that receives the table of the report.
 */
export async function runCommand<Options extends Record<string, string>>(
  defaults: Options,
  run: (options: Options) => Promise<Report>,
): Promise<never> {
  // Exits on signals, so that exit handlers kill the started processes.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => process.exit(1))
  try {
    const options = Object.fromEntries(
      ['write', ...Object.keys(defaults)].map((name) => [
        name,
        { type: 'string' as const },
      ]),
    )
    const { write, ...given } = parseArgs({ options }).values
    const { section, table, failures } = await run({ ...defaults, ...given })
    const measured = `${describeMachine()}\n\n${table}`
    console.log(measured)
    for (const failure of failures.slice(0, MAX_SHOWN_FAILURES))
      console.error(`FAILED: ${failure}`)
    if (failures.length > MAX_SHOWN_FAILURES)
      console.error(`FAILED: ${failures.length - MAX_SHOWN_FAILURES} more`)
    if (typeof write === 'string') {
      const document = readFileSync(write, 'utf8')
      writeFileSync(write, replaceSection(document, section, measured))
    }
    process.exit(failures.length > 0 ? 1 : 0)
  } catch (error) {
    console.error(error)
    process.exit(1)
  }
}

export function positive(text: string): number {
  if (Number(text) > 0) return Number(text)
  throw new Error(`expected a number above 0, received ${text}`)
}

export function oneOf<const Name extends string>(
  names: readonly Name[],
  text: string,
): Name {
  const name = names.find((name) => name === text)
  if (name) return name
  throw new Error(`expected one of ${names.join(', ')}, received ${text}`)
}

function describeMachine(): string {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  return `Measured on ${date} on this machine: ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}.`
}
