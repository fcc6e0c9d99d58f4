import { readFile } from 'node:fs/promises'

/** The parts of a Grafana dashboard that tests read. */
interface Dashboard {
  readonly panels: readonly {
    readonly id: number
    readonly type: string
    readonly title: string
    readonly datasource: { readonly uid: string }
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets: readonly { readonly expr: string; readonly refId: string }[]
  }[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] }
}

export const dashboard: Dashboard = JSON.parse(
  await readFile(new URL('../../apps/api/deploy/monitoring/dashboard.json', import.meta.url), 'utf8'),
)
