import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Connects to a PostgreSQL database until the end of the test, which may end the connection earlier. */
export async function connectForTest(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}
