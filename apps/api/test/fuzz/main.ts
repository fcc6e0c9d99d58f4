/*
 * Sends hostile bytes to real services and reports what they answered:
 *
 *     pnpm --filter api run fuzz                        60 seconds each, a seed of its own
 *     pnpm --filter api run fuzz 200 1 a-postgres       200 seconds, seed 1, one of a-sqlite, a-postgres, b-memory
 */
import { startPostgres } from '../support/postgres.ts'
import { attack, type Figures } from './campaign.ts'
import { SUBJECTS, type SubjectName, startSubject } from './subject.ts'

const [seconds = '60', seed = String(Date.now() % 2 ** 31), only] = process.argv.slice(2)
const names = only ? SUBJECTS.filter((name) => name === only) : SUBJECTS
if (names.length === 0) throw new Error(`${only} is none of ${SUBJECTS.join(', ')}`)
for (const name of names) await run(name)

async function run(name: SubjectName): Promise<void> {
  const postgres = name === 'a-postgres' ? await startPostgres() : undefined
  const subject = await startSubject(name, async () => postgres?.url ?? '')
  const figures = await attack(subject, {
    seed: Number(seed),
    seconds: Number(seconds),
    attempts: Number.POSITIVE_INFINITY,
  })
  print(name, figures)
  if (figures.failures.length > 0) process.exitCode = 1
  await subject.stop()
  await postgres?.stop()
}

function print(name: string, { kinds, statuses, failures, readBack, megabytes }: Figures): void {
  const counted = (counts: Map<unknown, number>) =>
    [...counts]
      .sort()
      .map(([key, count]) => `${key}: ${count}`)
      .join(', ')
  const total = [...kinds.values()].reduce((a, b) => a + b, 0)
  console.log(`${name}, seed ${seed}: ${total} attempts (${counted(kinds)})`)
  console.log(`  answers by status (0: closed without one): ${counted(statuses)}`)
  console.log(
    `  ${readBack} records read back; ${megabytes.map((mb) => `${Math.round(mb)} MB`).join(', ')} resident after each fifth`,
  )
  console.log(`  ${failures.length} failures`)
  for (const failure of failures) console.log(failure)
}
