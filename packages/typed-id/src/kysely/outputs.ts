import { type Codec, type Columns, fold, type Output } from './codecs.ts'

/** Stands for the columns of a listed table that the configuration does not name. */
export const OTHERS = { name: '*' } as Output

/** Returns the name of the first column that contains ids. */
export const firstColumn = (outputs: readonly Output[]) =>
  outputs.map(({ codec }) => codec?.column).find(Boolean)

/** Throws if two names with one key have different ids: databases disagree on the column of a repeated name. */
export const columnsOf = (outputs: readonly Output[]): Columns =>
  new Map(
    outputs.map((output) => {
      const key = fold(output.name)
      const first = outputs.find(({ name }) => fold(name) === key) as Output
      checkSame(first.codec, output.codec, `columns ${first.name} and ${output.name}`)
      return [key, output]
    }),
  )

/**
 * Adds the columns of a query to those of other queries that were made from the same builder. Kysely gives all these
 * queries one query id, so the plugin cannot tell to which query a result belongs.
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

/** Throws a TypeError if two results of one expression, such as a CASE, are not both ids of one type or no ids. */
export function checkSame(first: Codec | undefined, second: Codec | undefined, place: string): void {
  if ((first?.prefix ?? '') !== (second?.prefix ?? ''))
    fail(`${first?.column ?? 'another value'} and ${second?.column ?? 'another value'} in ${place}`)
}

export function fail(place: string): never {
  throw new TypeError(`idPlugin: cannot convert ${place}: list the column, or use idCodec`)
}
