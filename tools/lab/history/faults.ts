import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import type { Cluster, Disturbance, Engine, Instance } from './instances.ts'

interface Setting extends Cluster {
  readonly instance: Instance
  readonly random: () => number
  readonly durationFactor: number
}

type Fault = (setting: Setting) => Promise<unknown>

const fileOf = (url: string) => url.slice('sqlite:'.length)

const lockMs = ({ random, durationFactor }: Setting) =>
  (0.1 + random() * 5.9) * 1000 * durationFactor
const stopMs = ({ random, durationFactor }: Setting) =>
  (5 + random() * 15) * 1000 * durationFactor

const FAULTS_OF_PROCESSES: Record<string, Fault> = {
  async SIGKILL({ instance, random }) {
    await instance.kill()
    await pause(random() * 500)
    await instance.start()
  },
  async SIGSTOP(setting) {
    setting.instance.signal('SIGSTOP')
    await pause(stopMs(setting))
    setting.instance.signal('SIGCONT')
  },
}

const FAULTS_OF_SQLITE: Record<string, Fault> = {
  async 'write lock'(setting) {
    const db = new Sqlite(fileOf(setting.databaseUrl), { timeout: 5000 })
    try {
      db.exec('begin immediate')
      await pause(lockMs(setting))
    } finally {
      db.close()
    }
  },
  async backup({ databaseUrl, folder }) {
    const file = `${folder}/backup-${performance.now()}.db`
    const db = new Sqlite(fileOf(databaseUrl))
    db.prepare('vacuum into ?').run(file)
    db.close()
    const damage = await findDamage(`sqlite:${file}`)
    if (damage.length > 0) throw new Error(`the backup has a ${damage.join()}`)
  },
}

const COMMIT_RESPONSE_BYTES = 18

const FAULTS_OF_POSTGRES: Record<string, Fault> = {
  'table lock': (setting) =>
    lock(setting, 'lock table users in access exclusive mode'),
  'row locks': (setting) =>
    lock(setting, 'select id from users for update skip locked'),
  'terminated backends': onBackends('pg_terminate_backend'),
  'cancelled statements': onBackends('pg_cancel_backend'),
  // Changes column types, so that already prepared statements fail (0A000).
  'column types changed': ({ databaseUrl }) =>
    onPostgres(databaseUrl, async (client) => {
      for (const type of ['varchar', 'text'])
        await client.query(`set lock_timeout = '5s';
          alter table users alter column name type ${type};
          alter table teams alter column name type ${type}`)
    }),
  'fast restart': restartPostgres('pause'),
  'immediate restart': restartPostgres('stopImmediately'),
  'crash of PostgreSQL': restartPostgres('crash'),
  'connections reset': async ({ instance }) => instance.proxy?.reset(),
  'bytes dropped': (setting) => disturb(setting, { kind: 'drop' }),
  'packets delayed': (setting) =>
    disturb(setting, { kind: 'delay', ms: 20 + setting.random() * 400 }),
  'connections cut after N bytes': cut(200, false),
  'responses to COMMIT cut': cut(COMMIT_RESPONSE_BYTES, true),
}

const disturb = async (setting: Setting, disturbance: Disturbance) =>
  setting.instance.proxy?.disturb(disturbance, lockMs(setting))

export const FAULTS: Readonly<Record<Engine, Readonly<Record<string, Fault>>>> =
  {
    sqlite: { ...FAULTS_OF_PROCESSES, ...FAULTS_OF_SQLITE },
    postgres: { ...FAULTS_OF_PROCESSES, ...FAULTS_OF_POSTGRES },
  }

function cut(byteLimit: number, inCommit: boolean): Fault {
  return (setting) => {
    const bytes = Math.floor(setting.random() * byteLimit)
    return disturb(setting, { kind: 'cut', bytes, inCommit })
  }
}

function onBackends(call: string): Fault {
  return ({ databaseUrl }) =>
    onPostgres(databaseUrl, (client) =>
      client.query(
        `select ${call}(pid) from pg_stat_activity where application_name like 'typed-id-api%'`,
      ),
    )
}

function restartPostgres(stop: 'pause' | 'stopImmediately' | 'crash'): Fault {
  return async ({ postgres, random }) => {
    await postgres?.[stop]()
    await pause(random() * 500)
    await postgres?.resume()
  }
}

const lock = (setting: Setting, statement: string) =>
  onPostgres(setting.databaseUrl, async (client) => {
    await client.query(`begin; set local lock_timeout = '5s'; ${statement}`)
    await pause(lockMs(setting))
  })

async function onPostgres<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const ORPHANS = `
  select user_roles.* from user_roles
  left join users on users.id = user_id left join roles on roles.id = role_id
  where users.id is null or roles.id is null
  union all
  select users.id, team_id from users left join teams on teams.id = team_id
  where team_id is not null and teams.id is null`

export async function findDamage(url: string): Promise<string[]> {
  const problems = url.startsWith('sqlite:')
    ? checkSqlite(fileOf(url))
    : (await onPostgres(url, (client) => client.query(ORPHANS))).rows
  return problems.map(
    (problem) => `damaged database: ${JSON.stringify(problem)}`,
  )
}

function checkSqlite(file: string): unknown[] {
  const db = new Sqlite(file, { readonly: true })
  try {
    const integrity = db.pragma('integrity_check', { simple: true })
    return [
      ...(integrity === 'ok' ? [] : [integrity]),
      ...(db.pragma('foreign_key_check') as unknown[]),
      ...db.prepare(ORPHANS).all(),
    ]
  } finally {
    db.close()
  }
}
