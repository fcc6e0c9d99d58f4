type Cases = (
  check: (name: string, claim: () => unknown, expected?: unknown) => void,
  library: object,
  vectors: object,
) => unknown

export const CASES: Readonly<Record<string, Cases>>
export function conformance(
  library: object,
  vectors: object,
): Promise<{ passed: number; failed: string[] }>
