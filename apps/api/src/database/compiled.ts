import { type Compilable, type Expression, expressionBuilder } from 'kysely'
import type { AnyDatabase } from './engine.ts'

/**
 * Compiles the query only once, because compiling takes 8 to 12 µs, longer than
 * SQLite needs for the query.
 */
export function compiled<Args extends readonly unknown[], Row>(
  db: AnyDatabase,
  build: (
    ...args: { readonly [N in keyof Args]: Expression<Args[N]> }
  ) => Compilable<Row>,
) {
  let run: ((args: Args) => Promise<Row[]>) | undefined
  return (...args: Args): Promise<Row[]> => {
    run ??= compile(db, build.length, (values) => build(...(values as never)))
    return run(args)
  }
}

/**
 * Pads the list of keys with its first key to 1, 2, 4, 8, … keys. Otherwise the
 * database would prepare a statement for each number of keys.
 */
export function compiledForKeys<Key, Row>(
  db: AnyDatabase,
  build: (keys: readonly Expression<Key>[]) => Compilable<Row>,
) {
  const runs = new Map<number, (keys: readonly Key[]) => Promise<Row[]>>()
  return async (keys: readonly Key[]): Promise<Row[]> => {
    const [first] = keys
    if (first === undefined) return []
    const size = 2 ** Math.ceil(Math.log2(keys.length))
    const run = runs.get(size) ?? compile(db, size, build)
    runs.set(size, run)
    return run([...keys, ...Array(size - keys.length).fill(first)])
  }
}

function compile<Args extends readonly unknown[], Row>(
  db: AnyDatabase,
  count: number,
  // biome-ignore lint/suspicious/noExplicitAny: a placeholder of any type.
  build: (values: Expression<any>[]) => Compilable<Row>,
) {
  const { val } = expressionBuilder()
  const placeholders: unknown[] = Array.from({ length: count }, () => Symbol())
  const query = build(placeholders.map((symbol) => val(symbol))).compile()
  const positions = query.parameters.map((value) => placeholders.indexOf(value))
  return async (args: Args): Promise<Row[]> => {
    const parameters = positions.map((position, n) =>
      position < 0 ? query.parameters[n] : args[position],
    )
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
