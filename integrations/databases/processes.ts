import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Database servers refuse to run as root, so root runs them as the user nobody. */
const idOfNobody = (flag: string) => Number(execFileSync('id', [flag, 'nobody']))
const NOBODY = process.getuid?.() === 0 ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : undefined

/** Returns a new folder that the servers may write to. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-matrix-'))
  if (NOBODY) chownSync(folder, NOBODY.uid, NOBODY.gid)
  chmodSync(folder, 0o755)
  return folder
}

export function runToEnd(command: string, args: string[]): void {
  execFileSync(command, args, { ...NOBODY, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Starts a server, and resolves when `connect` succeeds. `stop` ends it and removes its folder. */
export async function startServer<T>(
  command: string,
  args: string[],
  folder: string,
  connect: () => Promise<T>,
): Promise<{ connection: T; stop(): Promise<void> }> {
  const child = spawn(command, args, { ...NOBODY, stdio: ['ignore', 'ignore', 'pipe'] })
  process.once('exit', () => child.kill('SIGKILL'))
  let log = ''
  child.stderr.on('data', (text) => (log += text))
  const connection = await untilConnected(connect, child, () => log)
  return {
    connection,
    async stop() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      await exited
      clearTimeout(timer)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilConnected<T>(
  connect: () => Promise<T>,
  child: ChildProcess,
  log: () => string,
): Promise<T> {
  for (;;) {
    try {
      return await connect()
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended:\n${log()}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
