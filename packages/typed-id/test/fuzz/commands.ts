import fc, { type Arbitrary } from 'fast-check'
import { cli } from '../cli/terminal.ts'
import * as reference from '../reference.ts'
import { good, near } from './values.ts'

/** Standard input with arbitrary bytes, divided into chunks at arbitrary places. */
export const chunks: Arbitrary<Uint8Array[]> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.oneof(
          { weight: 4, arbitrary: good.map((text) => Buffer.from(text)) },
          { weight: 4, arbitrary: near.map((text) => Buffer.from(text)) },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes)) },
          { weight: 1, arbitrary: good.map((text) => Buffer.from(text.padEnd(1500, 'x'))) },
        ),
        fc.constantFrom('\n', '\r\n', '\n\n', '\r', ''),
      ),
      { maxLength: 12 },
    ),
    fc.array(fc.nat(400), { maxLength: 5 }),
  )
  .map(([lines, cuts]) => {
    const bytes = Buffer.concat(lines.flatMap(([line, end]) => [line, Buffer.from(end)]))
    const places = [0, ...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]
    return places.slice(1).map((to, n) => bytes.subarray(places[n], to))
  })

/** Throws if the output of `convert` or `check` differs from the reference implementation for any line. */
export async function checkCommands(input: Uint8Array[]): Promise<void> {
  const text = Buffer.concat(input)
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  if (text === '' || text.endsWith('\n')) lines.pop()
  const converted = lines.map(convertWithReference)
  const bad = converted.flatMap((text, n) =>
    text === undefined && !/^[\t ]*$/.test(lines[n] as string) ? [`line ${n + 1}: `] : [],
  )
  const wanted = converted.flatMap((text) => (text === undefined ? [] : [`${text}\n`])).join('')
  for (const [args, out] of [
    [['convert', '--to', 'short'], wanted],
    [['check'], ''],
  ] as const) {
    const found = await cli([...args], input)
    const messages = found.err.split('\n').slice(0, -1)
    const summary = bad.length > 0 ? [messages.pop()] : []
    if (found.out !== out)
      throw new Error(`${args[0]} writes ${JSON.stringify(found.out)}, not ${JSON.stringify(out)}`)
    if (found.code !== (bad.length > 0 ? 1 : 0)) throw new Error(`${args[0]} exits with ${found.code}`)
    if (messages.length !== bad.length || !bad.every((start, n) => messages[n]?.startsWith(start))) {
      throw new Error(`${args[0]} reports ${JSON.stringify(messages)}, not ${JSON.stringify(bad)}`)
    }
    if (summary.some((text) => text !== `${bad.length} of ${lines.length} lines invalid`)) {
      throw new Error(`${args[0]} ends with ${summary}`)
    }
    if (messages.some((line) => line.length > 800))
      throw new Error(`${args[0]} writes a message of more than 800 characters`)
  }
}

function convertWithReference(line: string): string | undefined {
  const [, prefix = '', separator, rest = ''] = /^([a-zA-Z0-9]{1,63})([-_])(.*)$/s.exec(line) ?? []
  if (separator === '_' && reference.isSuffix(line, `${prefix}_`)) return line
  if (separator !== '-' || !reference.isUuid(line, `${prefix}-`)) return undefined
  return `${prefix}_${reference.suffixOfNumber(reference.numberOfUuid(rest))}`
}
