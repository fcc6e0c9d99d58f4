import { readFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { smallDisk, smallFiles } from '../../support/limited-disks.ts'
import { runService, startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

describe.each([
  ['a disk of 2 MB', smallDisk, process.platform !== 'linux' || process.getuid?.() !== 0],
  ['a limit to the size of files', smallFiles, process.platform !== 'linux'],
] as const)('a full disk (%s)', (_, disk, skipped) => {
  test.skipIf(skipped)('refuses writes with 503, answers reads, and is over once there is room', async () => {
    const { folder, through, fill, makeRoom, remove } = await disk()
    onTestFinished(remove)
    const service = await startService({ DATABASE_URL: `sqlite:${folder}/users.db` }, through)
    const client = recorderOf(() => service.url)
    expect(await client.createTeams(20)).toEqual({ 201: 20, 503: 0 })
    await fill(service)
    await expect.poll(() => client.createTeams(40)).toEqual({ 201: 0, 503: 40 })
    await client.expectAll()
    expect((await client.get('/readyz')).status).toBe(200)

    await makeRoom(service)
    expect(await client.createTeams(40)).toEqual({ 201: 40, 503: 0 })
    await client.expectAll()
    expect(await service.stop()).toBe(0)
    const file = new Sqlite(`${folder}/users.db`)
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
    file.close()
  })

  test.skipIf(skipped)('has everything that was answered after SIGKILL and a start with room', async () => {
    const { folder, through, fill, makeRoom, remove } = await disk()
    onTestFinished(remove)
    const env = { DATABASE_URL: `sqlite:${folder}/users.db` }
    let service = await startService(env, through)
    const client = recorderOf(() => service.url)
    await client.createTeams(20)
    await fill(service)
    await expect.poll(() => client.createTeams(40)).toEqual({ 201: 0, 503: 40 })
    await makeRoom(service)
    await service.stop('SIGKILL')
    service = await startService(env)
    await client.expectAll()
    await service.stop()
  })

  test.skipIf(skipped)('refuses a start in one line, and leaves the file as it is', async () => {
    const { folder, through, throughFull, fill, remove } = await disk()
    onTestFinished(remove)
    const urlOf = (name: string) => ({ DATABASE_URL: `sqlite:${folder}/${name}`, PORT: '0' })
    const service = await startService(urlOf('users.db'), through)
    await recorderOf(() => service.url).createTeams(20)
    await service.stop()
    const before = await readFile(`${folder}/users.db`)
    await fill()
    for (const name of ['users.db', 'new.db']) {
      const { code, stderr } = await runService(urlOf(name), [], throughFull)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*disk (is full|I\/O error)[^\n]*\n$/),
      })
    }
    expect((await readFile(`${folder}/users.db`)).equals(before)).toBe(true)
  })
})
