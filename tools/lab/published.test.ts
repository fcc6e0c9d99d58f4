import { describe, expect, test } from 'vitest'
import { compare, type Measurement } from './bench/measure.ts'
import { compareWithDocument, formatSection } from './bench/published.ts'
import { describeMeasurement } from './kit/machine.ts'
import type { Table } from './kit/report.ts'

const tablesWith = (rate: string, p99: string): Table[] => [
  {
    columns: ['responses per second, or p99', 'this service', 'Fastify', 'Go'],
    rows: [
      ['GET /teams/{id}', '40,000/s', rate, '0.80 x'],
      ['p99 of 500 reads/s during 64 writers', '10 ms', p99, ''],
    ],
  },
]
const processorTime: Table = {
  columns: ['responses per second of processor time', 'this service', 'Go'],
  rows: [['GET /teams/{id}', '40,000/s', '0.80 x']],
}
const tables = [...tablesWith('0.90 x', '6.00 x'), processorTime]
const section = formatSection(tables, '2,000 users.', ['Fastify: fastify 5.12.8'])
const machine = `<!-- machine -->\n\n${describeMeasurement()}\n\n<!-- /machine -->`
const document = `${machine}\n\n<!-- bench -->\n\n${section}\n\n<!-- /bench -->\n\n| delay | factor |\n| --- | --- |\n| 1 ms | 23 x |`

describe('the comparison of a benchmark with the document', () => {
  test('accepts ratios within the tolerance of the document', () => {
    const { deviations, note } = compareWithDocument(tablesWith('2.10 x', '0.80 x'), document)
    expect(deviations).toEqual([])
    expect(note).toBe('docs/performance.md has 4 ratios of this kind of machine')
  })

  test('names every ratio that is too low or too high', () => {
    const slow = { ...processorTime, rows: [['GET /teams/{id}', '40,000/s', '0.50 x']] }
    const { deviations } = compareWithDocument([...tablesWith('0.35 x', '60 x'), slow], document)
    expect(deviations).toEqual([
      'responses per second, or p99, GET /teams/{id}, Fastify: 0.35 x, 0.9 x in docs/performance.md',
      'responses per second, or p99, p99 of 500 reads/s during 64 writers, Fastify: 60 x, 6 x in docs/performance.md',
      'responses per second of processor time, GET /teams/{id}, Go: 0.5 x, 0.8 x in docs/performance.md',
    ])
  })

  test('compares nothing with figures of another processor', () => {
    const another = 'Measured on November 1, 2026 on this machine: Another processor, 2 cores, Node v24.21.0.'
    for (const elsewhere of [
      document.replace(/Measured on .*/, another),
      document.replace('<!-- bench -->\n', `<!-- bench -->\n\n${another}\n`),
    ]) {
      const { deviations, note } = compareWithDocument(tablesWith('0.10 x', '6.00 x'), elsewhere)
      expect(deviations).toEqual([])
      expect(note).toMatch(/^docs\/performance\.md has no ratios of this kind of machine: /)
    }
  })
})

test('a ratio is the median of the ratios of each round in which both servers were measured', () => {
  const at = (round: number, perSecond: number) => ({ round, perSecond }) as Measurement
  const ours = [at(1, 100), at(2, 50), at(3, 20)]
  expect(compare('team', { ours, 'go-net-http': [at(1, 50), at(2, 25), at(3, 40)] }, 'go-net-http')).toBe(2)
  expect(compare('team', { ours, 'go-net-http': [at(3, 40)] }, 'go-net-http')).toBe(0.5)
})
