import { chmod, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { databaseForTest, fileOf } from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { expect, onTestFinished, test } from 'vitest'

/** Root may write everywhere, unless the process gives up these capabilities. */
const WITHOUT_PRIVILEGES =
  process.getuid?.() === 0
    ? [
        'setpriv',
        '--bounding-set=-dac_override,-dac_read_search',
        '--inh-caps=-dac_override,-dac_read_search',
      ]
    : []

test.each([
  ['the file', (file: string) => chmod(file, 0o444)],
  ['its folder', (file: string) => chmod(dirname(file), 0o555)],
])('a start is rejected in one line when %s is read-only, and changes nothing', async (_, makeReadOnly) => {
  const url = await databaseForTest('sqlite-file')
  const file = fileOf(url)
  onTestFinished(() => chmod(dirname(file), 0o755))
  const before = await readFile(file)
  await makeReadOnly(file)
  const { code, stderr } = await runService({ DATABASE_URL: url, PORT: '0' }, [], WITHOUT_PRIVILEGES)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*(EACCES|SQLITE_READONLY)[^\n]*\n$/),
  })
  expect((await readFile(file)).equals(before)).toBe(true)
  expect(await readdir(dirname(file))).toEqual(['users.db'])
})
