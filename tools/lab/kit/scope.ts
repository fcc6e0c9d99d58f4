import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Owns processes, folders and servers, and releases them when the work that
 * uses them ends or fails.
 */
export interface Scope {
  /**
   * Registers a function that runs when the scope ends. The last registered
   * function runs first.
   */
  defer(release: () => unknown): void
  /**
   * Kills the child process with SIGKILL when the scope ends, or when this
   * process exits earlier.
   */
  own(child: ChildProcess): void
  createFolder(prefix: string): string
}

/**
 * Runs `work`, then releases everything it has registered, also if `work`
 * throws.
 *
 *     await withScope(async (scope) => {
 *       const service = await startService({ DATABASE_URL: 'sqlite::memory:' }, [], scope.own)
 *       …
 *     })
 */
export async function withScope<T>(
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  /**
   * Releases that run synchronously when the process exits during the work, for
   * example after Ctrl-C.
   */
  const onExit = new Set<() => void>()
  const exit = () => {
    for (const release of onExit) release()
  }
  process.once('exit', exit)
  await using releases = new AsyncDisposableStack()
  releases.defer(() => void process.off('exit', exit))
  return await work({
    defer: (release) =>
      releases.defer(async () => {
        await release()
      }),
    own(child) {
      const kill = () => child.kill('SIGKILL')
      onExit.add(kill)
      child.once('exit', () => onExit.delete(kill))
      releases.defer(async () => {
        if (kill()) await once(child, 'exit')
      })
    },
    createFolder(prefix) {
      const folder = mkdtempSync(join(tmpdir(), prefix))
      const remove = () => rmSync(folder, { recursive: true, force: true })
      onExit.add(remove)
      releases.defer(remove)
      return folder
    },
  })
}
