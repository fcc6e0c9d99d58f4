import { formatTable } from 'testkit/tables.ts'
import { choices, defineCampaign, duration, number } from '../kit/campaign.ts'
import { withScope } from '../kit/scope.ts'
import { round, sum } from '../kit/statistics.ts'
import { attack, type Budget, type Figures } from './attack.ts'
import { startTarget, TARGETS, type TargetName } from './verdict.ts'

export const campaign = defineCampaign({
  summary:
    'sends hostile bytes over raw sockets; checks every response, the log, and that nothing hidden is executed',
  duration: '3 minutes',
  options: {
    target: choices('profile and database', Object.keys(TARGETS) as TargetName[]),
    seconds: duration('duration for each target', 60),
    seed: number('seed of the attempts', Date.now() % 2 ** 31),
  },
  async run({ target: targets, seconds, seed }) {
    const rows = []
    const failures: string[] = []
    for (const name of targets) {
      const figures = await attackTarget(name, { seed, seconds, attempts: Number.POSITIVE_INFINITY })
      console.log(`${name}: seed ${seed}, attempts ${JSON.stringify(figures.attempts)}`)
      rows.push([TARGETS[name].title, ...summarize(figures)])
      failures.push(...figures.failures.map((failure) => `${name}: ${failure}`))
    }
    const columns = [
      ...[
        `${seconds} s each`,
        'connections',
        '2xx',
        '400',
        '404, 405',
        '422',
        '413, 417, 431',
        'other',
        'closed',
      ],
      ...['records read back', 'resident memory', 'failures'],
    ]
    return { table: formatTable({ columns, rows }), failures }
  },
})

export const attackTarget = (name: TargetName, budget: Budget): Promise<Figures> =>
  withScope(async (scope) => attack(await startTarget(scope, name), budget))

function summarize({ attempts, statuses, readBack, megabytes, failures }: Figures) {
  const groups = [/^2/, /^400$/, /^40[45]$/, /^422$/, /^4(13|17|31)$/].map((pattern) =>
    sum(statuses, pattern),
  )
  const closed = statuses.closed ?? 0
  const other = sum(statuses) - groups.reduce((a, b) => a + b, 0) - closed
  const records = [...readBack].map(([prefix, count]) => `${prefix}: ${count}`).join(', ')
  const memory = `${round(megabytes[0] ?? 0)} to ${round(megabytes.at(-1) ?? 0)} MB`
  return [sum(attempts), ...groups, other, closed, records, memory, failures.length]
}
