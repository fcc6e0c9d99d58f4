export type Watch = (metric: Metric) => void

interface Metric {
  readonly type: 'gauge' | 'counter'
  readonly name: string
  readonly help: string
  readonly read: () => number
}
