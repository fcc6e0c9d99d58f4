import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Engine = 'sqlite-memory' | 'sqlite-file'

/** The URL of an empty database, and what removes it. */
export async function freshDatabase(engine: Engine): Promise<{ url: string; drop(): Promise<void> }> {
  switch (engine) {
    case 'sqlite-memory':
      return { url: 'sqlite::memory:', async drop() {} }
    case 'sqlite-file': {
      const folder = await mkdtemp(join(tmpdir(), 'api-test-'))
      return { url: `sqlite:${folder}/users.db`, drop: () => rm(folder, { recursive: true }) }
    }
  }
}
