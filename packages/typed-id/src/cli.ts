#!/usr/bin/env node
import { fstatSync, readFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import { run } from './cli/run.ts'
import { escapeText } from './cli/terminal.ts'

const { stdout, stderr, env } = process
// Creating stack traces, which the CLI never prints, takes most of the time of
// an invalid line.
Error.stackTraceLimit = 0
process.exitCode = 2

run(process.argv.slice(2), {
  version: JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ).version,
  stdin: readStdin(),
  stdinIsTTY: isatty(0),
  stdout,
  stderr,
  colour: !env.NO_COLOR && env.TERM !== 'dumb',
}).then(
  (code) => {
    process.exitCode = code
  },
  (error) => {
    if (error.code === 'EPIPE') process.exit(0)
    console.error(`typed-id: ${escapeText(error.message)}`)
  },
)
// The code above already handles the error of a failed write. Without a
// listener, Node would throw the same error again.
for (const stream of [stdout, stderr]) stream.on('error', () => {})

/** Throws if stdin is a directory, which Node would read as an empty file. */
async function* readStdin(): AsyncGenerator<Uint8Array> {
  if (fstatSync(0).isDirectory()) throw new Error('standard input is a folder')
  yield* process.stdin
}
