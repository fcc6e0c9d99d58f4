import { chmod, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { freshDatabase } from '../../support/engines.ts'
import { runService, startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

/** Root may write everywhere, unless it gives that right away. */
const BOUND =
  process.getuid?.() === 0
    ? [
        'setpriv',
        '--bounding-set=-dac_override,-dac_read_search',
        '--inh-caps=-dac_override,-dac_read_search',
      ]
    : []

let restore: () => Promise<void>
afterEach(() => restore())

/** A database with some teams, and what is in its folder. */
async function stored() {
  const { url, drop } = await freshDatabase('sqlite-file')
  const file = url.slice('sqlite:'.length)
  restore = async () => {
    await chmod(dirname(file), 0o755)
    await drop()
  }
  const service = await startService({ DATABASE_URL: url })
  const client = recorderOf(() => service.url)
  await client.createTeams(10)
  return { url, file, service, client }
}

test.each([
  ['the file', (file: string) => chmod(file, 0o444)],
  ['its folder', (file: string) => chmod(dirname(file), 0o555)],
])(
  'a start is refused in one line when %s may only be read, and leaves everything as it is',
  async (_, make) => {
    const { url, file, service } = await stored()
    await service.stop()
    const before = await readFile(file)
    await make(file)
    const { code, stderr } = await runService({ DATABASE_URL: url, PORT: '0' }, [], BOUND)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^DATABASE_URL: cannot use [^\n]*(EACCES|SQLITE_READONLY)[^\n]*\n$/),
    })
    expect((await readFile(file)).equals(before)).toBe(true)
    expect(await readdir(dirname(file))).toEqual(['users.db'])
  },
)
