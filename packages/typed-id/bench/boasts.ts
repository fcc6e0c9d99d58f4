/** A claim of docs/benchmarks.md about the time of an operation: `ratio` is the time of the peer by the time of typed-id. */
export interface Boast {
  /** The table row. */
  text: string
  operation: string
  peer: string
  ratio: number
}

/** Returns a claim for each row of the table in a document. */
export function readTable(document: string): Boast[] {
  const table = document.match(/<!-- bench -->([\s\S]+)<!-- \/bench -->/)?.[1] ?? ''
  let operation = ''
  return [...table.matchAll(/^\|(.+?)\|.*?\|(.+?)\|.*?\| *([\d.]+) x \|$/gm)].map(
    ([text, name = '', peer = '', ratio]) => {
      operation = name.trim() || operation
      return { text, operation, peer: peer.trim(), ratio: Number(ratio) }
    },
  )
}

/** For each operation, the claim against the slowest peer. */
export function keepSlowestPeers(boasts: readonly Boast[]): Boast[] {
  const slowest = new Map<string, Boast>()
  for (const boast of boasts) {
    if (boast.ratio > (slowest.get(boast.operation)?.ratio ?? 0)) slowest.set(boast.operation, boast)
  }
  return [...slowest.values()]
}

/** Returns a message for each claim whose measured ratio is less than `margin` of the claimed one, or is missing. */
export function findUntrue(
  boasts: readonly Boast[],
  measured: (operation: string, peer: string) => number | undefined,
  margin: number,
): string[] {
  return boasts.flatMap(({ text, operation, peer, ratio }) => {
    const found = measured(operation, peer) ?? Number.NaN
    if (found >= ratio * margin) return []
    return `no longer true: "${text}": measured ${found.toFixed(2)} x, expected at least ${(ratio * margin).toFixed(2)} x`
  })
}
