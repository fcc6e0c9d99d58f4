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
  defer(release: () => unknown): void
  /** Kills the process when the scope ends or this process exits. */
  own(child: ChildProcess): void
  createFolder(prefix: string): string
}

export async function withScope<T>(
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const onExit = new Set<() => void>()
  const exit = () => {
    for (const release of onExit) release()
  }
  process.once('exit', exit)
  await using releases = new AsyncDisposableStack()
  releases.defer(() => void process.off('exit', exit))
  return await work({
    defer: (release) => releases.defer(async () => void (await release())),
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
