export function conformance(
  library: object,
  vectors: object,
): Promise<{ passed: number; failed: string[] }>
