import type { TestProject } from 'vitest/node'
import './engine-names.ts'
import { freshPostgresDatabase, startPostgres } from './postgres.ts'
import { migrate } from './process.ts'

/**
 * All Vitest projects of a run share one server in `globalThis`, because Vitest
 * loads this module once per project.
 */
interface SharedServer {
  users: number
  readonly started: ReturnType<typeof start>
}
const shared = globalThis as { typedIdPostgres?: SharedServer }

/** Disables autovacuum, because each test database exists for seconds only. */
const FLAGS = ['-c', 'autovacuum=off']

export default async function setup(project: TestProject) {
  shared.typedIdPostgres ??= { users: 0, started: start() }
  const server = shared.typedIdPostgres
  server.users += 1
  const { url, template, stop } = await server.started
  project.provide('postgresUrl', url)
  project.provide('postgresTemplate', template)
  return async () => {
    server.users -= 1
    if (server.users > 0) return
    delete shared.typedIdPostgres
    await stop()
  }
}

async function start() {
  const server = await startPostgres({ flags: FLAGS })
  const template = await freshPostgresDatabase(server.url)
  await migrate(template.url)
  return {
    url: server.url,
    template: new URL(template.url).pathname.slice(1),
    async stop() {
      await template.drop()
      await server.stop()
    },
  }
}
