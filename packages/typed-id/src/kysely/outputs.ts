import type { Codec, Output } from './codecs.ts'

/** Stands for the other columns of a listed table, of which only the id columns are known. */
export const OTHERS = { name: '*' } as Output

/** Returns the name of the first column that contains ids. */
export const firstColumn = (outputs: readonly Output[]) => outputs.find(({ codec }) => codec)?.codec?.column

/**
 * Adds the columns of a query to those of other queries that were made from the same builder. Kysely gives all of them one
 * query id, so the plugin cannot tell which of them a result belongs to.
 */
export function mergeOutputs(outputs: readonly Output[], others?: readonly Output[]): readonly Output[] {
  const all = new Map(others?.map((other) => [other.name, { ...other, isOptional: true }]))
  for (const [name, output] of new Map(outputs.map((output) => [output.name, output]))) {
    const other = all.get(name)
    if (other) checkSame(other.codec, output.codec, `${name} of two queries of one builder`)
    else all.set(name, { ...output, isOptional: !!others })
  }
  return [...all.values()]
}

/** @throws TypeError when two values of one place are not ids of one type. */
export function checkSame(first: Codec | undefined, second: Codec | undefined, place: string): void {
  if ((first?.prefix ?? '') !== (second?.prefix ?? ''))
    fail(`${first?.column ?? 'another value'} and ${second?.column ?? 'another value'} in ${place}`)
}

export function fail(place: string): never {
  throw new TypeError(`idPlugin: cannot convert ${place}: list the column, or use idCodec`)
}
