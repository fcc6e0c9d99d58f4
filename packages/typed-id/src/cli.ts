#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { run } from './cli/run.ts'

const { stdin, stdout, stderr, env } = process
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// Only error messages are printed. Collecting a stack trace would take most of the time spent on an invalid line.
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
    // The reader of the output has closed the pipe, as `| head` does. That is not an error.
    if (error.code === 'EPIPE') process.exit()
    console.error(`typed-id: ${error.message}`)
    process.exitCode = 1
  },
)
// `put` reports a failed write to its caller. Without a listener, Node would also throw the error.
for (const stream of [stdout, stderr]) stream.on('error', () => {})
