/** A team, role or user as the service returns it. */
export interface StoredRecord {
  readonly id: string
  readonly [field: string]: unknown
}

export async function readList(url: string, path: string): Promise<StoredRecord[]> {
  const response = await fetch(url + path)
  if (response.status !== 200) throw new Error(`GET ${path} returned ${response.status}, expected 200`)
  return (await response.json()) as StoredRecord[]
}
