import { MIN_SCORE, runLighthouse } from 'testkit/lighthouse.ts'
import { expect, test } from 'vitest'
import { startPlace } from './open-page.ts'

test('Lighthouse gives at least 95 in each category', async () => {
  const site = await startPlace('/')
  // Lighthouse requests /robots.txt in the name of the page, whose policy blocks it. The file belongs to the host.
  const scores = await runLighthouse(site.url, { skipAudits: ['robots-txt'] })
  site.close()
  expect(Math.min(...Object.values(scores))).toBeGreaterThanOrEqual(MIN_SCORE)
})
