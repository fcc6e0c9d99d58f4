import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { replaceSection } from 'testkit/tables.ts'

const MACHINE = /<!-- machine -->\s+(Measured on .*)/

/** Returns the first line of the section `machine`, which contains when and where the tables were measured. */
const publishedMeasurement = (document: string): string => MACHINE.exec(document)?.[1] ?? ''

/**
 * Writes tables into the section `name` of a Markdown file, and the measurement into the section `machine`. If that
 * section has another date or machine, it describes other tables. The first line of the measurement is then written
 * above the tables instead.
 */
export function writeMeasurement(file: string, name: string, tables: string, measurement: string): void {
  const document = readFileSync(file, 'utf8')
  const published = publishedMeasurement(document)
  const [line = ''] = measurement.split('\n')
  const isOther = published !== '' && published !== line
  const described = isOther ? document : replaceSection(document, 'machine', measurement)
  writeFileSync(file, replaceSection(described, name, isOther ? `${line}\n\n${tables}` : tables))
}

/**
 * Throws if `writeMeasurement` would find no section `name`, nor one whose name continues it, such as `bench-postgres`
 * for `bench`.
 */
export function checkSections(file: string, name: string): void {
  const document = readFileSync(file, 'utf8')
  const names = Array.from(document.matchAll(/<!-- ([\w-]+) -->/g), ([, found = '']) => found)
  const section = names.find((found) => found === name) ?? names.find((found) => found.startsWith(`${name}-`))
  try {
    if (publishedMeasurement(document) === '') replaceSection(document, 'machine', '')
    replaceSection(document, section ?? name, '')
  } catch (error) {
    throw new Error(`cannot write into ${file}: ${(error as Error).message}`)
  }
}

/** Throws an error that contains every failure, so that the message of a red test names the cause. */
export function expectNoFailures(failures: readonly string[]): void {
  if (failures.length > 0) throw new Error(`${failures.length} failures:\n${failures.join('\n')}`)
}

/** Describes a measurement on this machine: date and machine in the first line, then the tolerance. */
export function describeMeasurement(): string {
  const date = new Date().toLocaleDateString('en', { dateStyle: 'long' })
  const machine = `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`
  return `Measured on ${date} on this machine: ${machine}.\nIn another run on it, rates and times may differ by a factor of 3.`
}
