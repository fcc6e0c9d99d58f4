import { existsSync } from 'node:fs'
import { campaign as bench } from './bench/campaign.ts'
import { campaign as failover } from './failover/campaign.ts'
import { campaign as flood } from './flood/campaign.ts'
import { campaign as fuzz } from './fuzz/campaign.ts'
import { campaign as history } from './history/campaign.ts'
import { type Campaign, type Options, parseOptions, text } from './kit/campaign.ts'
import { checkSections, describeMeasurement, writeMeasurement } from './kit/report.ts'
import { campaign as rolling } from './rolling/campaign.ts'

/** Every campaign by its name as an argument of `pnpm lab`. */
export const CAMPAIGNS: Readonly<Record<string, Campaign>> = {
  history,
  flood,
  fuzz,
  rolling,
  failover,
  bench,
}

const WRITE = {
  ...text('replace the sections <!-- name --> and <!-- machine --> of this Markdown file'),
  parse: (file: string) => (existsSync(file) ? file : undefined),
  expected: 'an existing file',
}

/** Maximum number of printed failures, because a fault can cause thousands of similar ones. */
const SHOWN = 20

/** Runs `pnpm lab [name] [options]` and returns the exit code: 0, or 1 after a failure. */
export async function runLab([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) {
    console.log(describeCampaigns())
    return 0
  }
  const campaign = CAMPAIGNS[name]
  if (campaign === undefined) {
    console.error(`unknown campaign "${name}"\n\n${describeCampaigns()}`)
    return 1
  }
  const options: Options = { ...campaign.options, write: WRITE }
  if (args.includes('--help')) {
    console.log(describeOptions(name, campaign, options))
    return 0
  }
  let values: Record<string, unknown>
  try {
    values = parseOptions(options, args)
    if (typeof values.write === 'string') checkSections(values.write, String(values.section ?? name))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${describeOptions(name, campaign, options)}`)
    return 1
  }
  const { table, section = name, failures } = await campaign.run(values)
  const measurement = describeMeasurement()
  console.log(`${measurement}\n\n${table}`)
  for (const failure of failures.slice(0, SHOWN)) console.error(`FAILED: ${failure}`)
  if (failures.length > SHOWN) console.error(`FAILED: ${failures.length - SHOWN} more`)
  // Also writes a run with failures, which the figures show.
  if (typeof values.write === 'string') writeMeasurement(values.write, section, table, measurement)
  return failures.length > 0 ? 1 : 0
}

function describeCampaigns(): string {
  const width = Math.max(...Object.keys(CAMPAIGNS).map((name) => name.length))
  const lines = Object.entries(CAMPAIGNS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: pnpm lab <campaign> [options], or pnpm lab <campaign> --help\n\n${lines.join('\n')}`
}

function describeOptions(name: string, { summary, duration, needs }: Campaign, options: Options): string {
  const lines = Object.entries(options).map(([option, { description, default: value }]) => {
    const shown = value === undefined ? '' : ` (default: ${value})`
    return `  --${option.padEnd(12)} ${description}${shown}`
  })
  const facts = [`Duration: ${duration}`, ...(needs ? [`Needs: ${needs}`] : [])]
  return `Usage: pnpm lab ${name} [options]\n\n${summary}\n${facts.join('\n')}\n\n${lines.join('\n')}`
}
