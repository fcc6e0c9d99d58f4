import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { replaceSection } from 'testkit/documents.ts'
import { z } from 'zod'

/** A schema of positive numbers: with 0 clients, no request would be sent. */
export const positive = (unset: number) =>
  z.coerce.number().positive().prefault(unset)

/** A schema of names separated by commas. By default all. */
export const names = <const T extends string>(all: readonly T[]) =>
  z
    .string()
    .prefault(all.join())
    .transform((value) => value.split(','))
    .pipe(z.array(z.enum(all)))

export interface Report {
  /** The section of the document that `--write` replaces, by name. */
  readonly section: string
  /** Markdown with the measured tables. */
  readonly table: string
  /** Messages about broken promises, with which the command exits with 1. */
  readonly failures: readonly string[]
}

const WRITE = z
  .string()
  .describe(
    'Markdown file in which the table replaces the section <!-- name -->',
  )

/** Printed failures: a fault can cause thousands of similar ones. */
const SHOWN = 20

/** Runs a command, prints its table and its failures, and ends the process. */
export async function runCommand<O extends Readonly<Record<string, z.ZodType>>>(
  shape: O,
  run: (values: z.output<z.ZodObject<O>>) => Promise<Report>,
): Promise<never> {
  // Exits on a signal, because exit handlers kill the processes that the
  // command has started.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => process.exit(1))
  const described = Object.entries({ ...shape, write: WRITE })
  if (process.argv.includes('--help')) {
    for (const [name, { description }] of described)
      console.log(`  --${name.padEnd(12)} ${description}`)
    process.exit(0)
  }
  try {
    const options = Object.fromEntries(
      described.map(([name]) => [name, { type: 'string' as const }]),
    )
    const { write, ...values } = parseArgs({ options }).values
    const parsed = z.object(shape).safeParse(values)
    if (parsed.error) throw new Error(z.prettifyError(parsed.error))
    const { section, table, failures } = await run(parsed.data)
    const measured = `${describeMachine()}\n\n${table}`
    console.log(measured)
    for (const failure of failures.slice(0, SHOWN))
      console.error(`FAILED: ${failure}`)
    if (failures.length > SHOWN)
      console.error(`FAILED: ${failures.length - SHOWN} more`)
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

function describeMachine(): string {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  return `Measured on ${date} on this machine: ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}.`
}
