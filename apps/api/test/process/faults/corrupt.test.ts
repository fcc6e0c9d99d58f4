import { copyFile, open, readFile, stat, truncate } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '../../support/engines.ts'
import { runService, startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

let url: string
let file: string
let drop: () => Promise<void>
beforeEach(async () => {
  ;({ url, drop } = await freshDatabase('sqlite-file'))
  file = url.slice('sqlite:'.length)
})
afterEach(() => drop())

/** Starts, writes and ends: by SIGKILL with everything still in the -wal file. */
async function written(teams: number, signal: NodeJS.Signals) {
  const service = await startService({ DATABASE_URL: url })
  const client = recorderOf(() => service.url)
  for (let n = 0; n < teams; n += 100) await client.createTeams(100)
  await service.stop(signal)
  return client.answered
}

async function overwrite(path: string, at: number, bytes: number): Promise<void> {
  const handle = await open(path, 'r+')
  await handle.write(Buffer.alloc(bytes, 0xa5), 0, bytes, at)
  await handle.close()
}

describe('a start on a damaged file is refused in one line and leaves the file as it is', () => {
  test.each([
    ['the header', () => overwrite(file, 0, 100)],
    ['the page of the schema', () => overwrite(file, 100, 3900)],
    [
      'the second half, which is cut off',
      async () => truncate(file, ((await stat(file)).size / 8192) * 4096),
    ],
  ])('%s', async (_, damage) => {
    await written(500, 'SIGTERM')
    await damage()
    const before = await readFile(file)
    const { code, stderr } = await runService({ DATABASE_URL: url, PORT: '0' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*(malformed|not a database)[^\n]*\n$/),
    })
    expect((await readFile(file)).equals(before)).toBe(true)
  })
})

test('a damaged page is a 500 where it is touched, and the rest is answered', async () => {
  await written(500, 'SIGTERM')
  const db = new Sqlite(file)
  const page = db.prepare("select rootpage from sqlite_master where name = 'teams'").pluck().get() as number
  db.close()
  await overwrite(file, (page - 1) * 4096, 4096)
  const before = await readFile(file)
  const service = await startService({ DATABASE_URL: url })
  const client = recorderOf(() => service.url)
  for (const answer of [await client.get('/teams'), await client.post('/teams', { name: 'x' })]) {
    expect(answer).toMatchObject({ status: 500, json: { detail: 'Internal Server Error' } })
  }
  expect(service.logLines.join('\n')).toContain('SQLITE_CORRUPT')
  expect((await client.get('/roles')).status).toBe(200)
  expect((await client.post('/roles', { name: 'admin' })).status).toBe(201)
  await service.stop()
  expect((await readFile(file)).subarray((page - 1) * 4096, page * 4096)).toEqual(
    before.subarray((page - 1) * 4096, page * 4096),
  )
})

test('a damaged -wal file gives what was written before the damage, and nothing by half', async () => {
  const answered = await written(500, 'SIGKILL')
  const { size } = await stat(`${file}-wal`)
  await copyFile(`${file}-wal`, `${file}-wal.copy`)
  await overwrite(`${file}-wal`, Math.floor(size / 2), 100)
  const service = await startService({ DATABASE_URL: url })
  const client = recorderOf(() => service.url)
  const found: string[] = (await client.get('/teams')).json.map(({ name }: { name: string }) => name)
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThan(500)
  expect(new Set(answered.slice(0, found.length))).toEqual(new Set(found))
  await service.stop()
  const db = new Sqlite(file)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
})
