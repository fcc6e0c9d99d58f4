import { readFile } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import { limitedDiskByFileSize, limitedDiskBySpace } from 'testkit/limited-disks.ts'
import { runService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { createTeamWriter } from 'testkit/team-writer.ts'
import { describe, expect, onTestFinished, test } from 'vitest'

describe.each([
  ['a disk of 2 MB', limitedDiskBySpace, process.platform !== 'linux' || process.getuid?.() !== 0],
  ['a limit to the size of files', limitedDiskByFileSize, process.platform !== 'linux'],
] as const)('a full disk (%s)', (_, createDisk, isSkipped) => {
  test.skipIf(isSkipped)(
    'makes writes respond 503 and reads succeed until there is space; SIGKILL after that loses no confirmed write',
    async () => {
      const { folder, through, fill, freeSpace, remove } = await createDisk()
      onTestFinished(remove)
      const env = { DATABASE_URL: `sqlite:${folder}/users.db` }
      let service = await startServiceForTest(env, through)
      const writer = createTeamWriter(() => service)
      expect(await writer.createTeams(20)).toEqual({ 201: 20, 503: 0 })
      await fill(service)
      await expect.poll(() => writer.createTeams(40)).toEqual({ 201: 0, 503: 40 })
      await writer.expectConfirmedTeams()
      expect((await service.get('/readyz')).status).toBe(200)

      await freeSpace(service)
      expect(await writer.createTeams(40)).toEqual({ 201: 40, 503: 0 })
      await writer.expectConfirmedTeams()

      await service.stop('SIGKILL')
      service = await startServiceForTest(env)
      await writer.expectConfirmedTeams()
      expect(await service.stop()).toBe(0)
      const file = new Sqlite(`${folder}/users.db`)
      expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
      file.close()
    },
  )

  test.skipIf(isSkipped)('rejects a start in one line, and leaves the file unchanged', async () => {
    const { folder, through, throughWhenFull, fill, remove } = await createDisk()
    onTestFinished(remove)
    const urlOf = (name: string) => ({ DATABASE_URL: `sqlite:${folder}/${name}`, PORT: '0' })
    const service = await startServiceForTest(urlOf('users.db'), through)
    await createTeamWriter(() => service).createTeams(20)
    await service.stop()
    const before = await readFile(`${folder}/users.db`)
    await fill()
    for (const name of ['users.db', 'new.db']) {
      const { code, stderr } = await runService(urlOf(name), [], throughWhenFull)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*disk (is full|I\/O error)[^\n]*\n$/),
      })
    }
    expect((await readFile(`${folder}/users.db`)).equals(before)).toBe(true)
  })
})
