import { expect, inject, test } from 'vitest'
import { attack } from './fuzz/campaign.ts'
import { SUBJECTS, startSubject } from './fuzz/subject.ts'

const KINDS = ['body', 'bytes', 'document', 'frame', 'head', 'target']
const STATUSES = [200, 400, 404, 405, 413, 417, 422, 431]

test.for(SUBJECTS)('hostile bytes neither break nor mislead %s', { timeout: 60_000 }, async (name) => {
  const subject = await startSubject(name, async () => inject('postgresUrl'))
  const { failures, kinds, statuses, readBack } = await attack(subject, {
    seed: 1,
    attempts: 1600,
    seconds: 30,
  })
  expect(failures).toEqual([])
  await subject.stop()
  expect([...kinds.keys()].sort()).toEqual(KINDS)
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(STATUSES))
  expect(readBack).toBeGreaterThan(50)
})
