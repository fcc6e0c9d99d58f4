import manifest from 'api/package.json' with { type: 'json' }

// Without handlers, process 1 of a container would ignore signals, and not
// stop. The handlers stay registered, so that a second signal does not end
// running requests.
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of SIGNALS) process.on(signal, resolve)
})
// Without a listener, SIGUSR1 opens Node's inspector, through which any local
// user can run code in this process.
process.on('SIGUSR1', () => {})

// Checks the version of Node before the import of packages, because
// better-sqlite3 crashes Node 20.
const [required, current] = [
  manifest.engines.node.replace('>=', ''),
  process.versions.node,
]
if (current.localeCompare(required, 'en', { numeric: true }) < 0) {
  console.error(
    `Node.js: expected version ${required} or newer, received ${current}`,
  )
  process.exit(1)
}

const commands = await Promise.race([import('./commands/run.ts'), stopSignal])
if (typeof commands !== 'string') {
  process.exitCode = await commands.run({
    argv: process.argv.slice(2),
    env: process.env,
    stdout: process.stdout,
    stopSignal,
  })
}
// At exit, Node waits for DNS lookups, which take 20 s without a name server.
// Removes the signal handlers, so that a signal can still end the process at
// once.
for (const signal of SIGNALS) process.removeAllListeners(signal)
const signal = await Promise.race([stopSignal, undefined])
if (signal && process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap'))
  process.kill(process.pid, signal)
// Ends the process even if its standard output accepts no data.
process.exit()
