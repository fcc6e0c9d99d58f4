#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { run } from './cli/run.ts'

const { stdin, stdout, stderr, env } = process
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// Of an error the message alone is shown, and a stack takes longer than all else that a bad line needs.
Error.stackTraceLimit = 0

run(process.argv.slice(2), {
  version,
  stdin,
  stdout,
  stderr,
  colour: Boolean(stdout.isTTY) && !env.NO_COLOR,
}).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    // Whoever reads our output has had enough (`| head`): that is no failure.
    if (error.code === 'EPIPE') process.exit()
    console.error(`typed-id: ${error.message}`)
    process.exitCode = 1
  },
)
// Each failed write is reported to its own caller; without a listener it would be thrown as well.
for (const stream of [stdout, stderr]) stream.on('error', () => {})
