import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ANY_ID, createLedger, readStored, type StoredRecord } from './kit/ledger.ts'

const [OLD, NEW] = [
  { id: 'team-1', name: 'old' },
  { id: 'team-1', name: 'new' },
]

const stored = (...records: StoredRecord[]) => ({
  records: new Map(records.map((record) => ['key', record])),
  duplicates: [],
})

test('reports an acknowledged write that is not stored as lost', () => {
  const ledger = createLedger()
  ledger.acknowledge('key', OLD, OLD)
  ledger.acknowledge('key', NEW, NEW)
  ledger.compare(stored(OLD))
  expect(ledger.lost).toEqual([
    'key: stored {"id":"team-1","name":"old"}, expected {"id":"team-1","name":"new"}',
  ])
})

test('accepts an uncertain write as stored or not, and from then on only in that state', () => {
  const ledger = createLedger()
  ledger.acknowledge('key', OLD, OLD)
  ledger.addUncertain('key', NEW)
  ledger.compare(stored(NEW))
  expect(ledger).toMatchObject({ lost: [], inconsistent: [], applied: 1 })
  ledger.compare(stored(OLD))
  expect(ledger.lost).toHaveLength(1)
})

test('reports partial, duplicate and unexpected records as inconsistent', () => {
  const ledger = createLedger()
  ledger.acknowledge('key', NEW, NEW)
  ledger.compare({ ...stored({ id: 'team-1', name: 'ne' }), duplicates: ['team-1'] })
  expect(ledger.inconsistent).toEqual([
    'team-1 is stored more than once',
    'key: stored {"id":"team-1","name":"ne"}, expected {"id":"team-1","name":"new"}',
  ])
  const empty = createLedger()
  empty.compare(stored(OLD))
  expect(empty.inconsistent).toEqual(['key: stored {"id":"team-1","name":"old"}, but no client wrote it'])
})

test('rejects a response that does not contain what the write must produce', () => {
  expect(() => createLedger().acknowledge('key', { ...NEW, id: ANY_ID }, OLD)).toThrow(
    'the response contains',
  )
})

test('reading the lists of a service reports a record that occurs twice', async () => {
  const users = ['user-1', 'user-2'].map((id) => ({ id, email: 'a@example.com' }))
  const lists: Record<string, object[]> = {
    '/teams': [OLD, { ...OLD, name: 'other' }],
    '/roles': [],
    '/users': users,
  }
  const server = createServer(({ url = '' }, response) => response.end(JSON.stringify(lists[url])))
  onTestFinished(() => void server.close())
  await once(server.listen(0), 'listening')
  const { duplicates } = await readStored(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(duplicates).toEqual(['team-1', 'user a@example.com'])
})
