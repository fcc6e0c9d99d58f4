import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseForTest, folderForTest } from 'testkit/engines.ts'
import { spawnService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { describe, expect, onTestFinished, test } from 'vitest'

const ADDRESS = '127.0.0.99'

async function startSilentNameServer() {
  const socket = createSocket('udp4').bind(53, ADDRESS)
  onTestFinished(() => void socket.close())
  await once(socket, 'listening')
  let queries = 0
  socket.on('message', () => {
    queries += 1
  })
  const file = join(await folderForTest(), 'resolv.conf')
  // The longest wait that the resolver accepts: 150 seconds.
  const options = 'options timeout:30 attempts:5'
  await writeFile(file, `nameserver ${ADDRESS}\n${options}\n`)
  const script =
    'mount --bind "$0" /etc/resolv.conf && mount --bind /dev/null /etc/hosts && exec "$@"'
  const through = ['unshare', '--mount', 'sh', '-c', script, file]
  return { through, queries: () => queries }
}

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'while the name server does not respond',
  () => {
    test('a start with PostgreSQL at an address does not ask for its name', async () => {
      const DATABASE_URL = await databaseForTest('postgres')
      const { through, queries } = await startSilentNameServer()
      await startServiceForTest({ DATABASE_URL }, through)
      expect(queries()).toBe(0)
    })

    test.each([
      ['DATABASE_URL', 'postgres://app@database.example/users'],
      ['HOST', 'service.example'],
    ])(
      'SIGTERM ends a start that waits for the address of %s',
      async (name, value) => {
        const { through, queries } = await startSilentNameServer()
        const env = { DATABASE_URL: 'sqlite::memory:', PORT: '0' }
        const child = spawnService({ ...env, [name]: value }, [], through)
        const exited = once(child, 'exit')
        await expect.poll(queries).toBeGreaterThan(0)
        child.kill('SIGTERM')
        expect(await exited).toEqual([null, 'SIGTERM'])
      },
      60_000,
    )
  },
)
