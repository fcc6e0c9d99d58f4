import { desktopConfig } from 'lighthouse'
import { MIN_SCORE, runLighthouse } from 'testkit/lighthouse.ts'
import { expect, test } from 'vitest'
import { serveSite } from './pages.ts'

test.each([
  { device: 'phone', config: undefined },
  { device: 'desktop', config: desktopConfig },
])('Lighthouse gives the start page at least 95 in each category on a $device', async ({ config }) => {
  const scores = await runLighthouse(await serveSite(), {}, config)
  expect(Math.min(...Object.values(scores))).toBeGreaterThanOrEqual(MIN_SCORE)
})

test('Lighthouse gives the inspector at least 95 in each category', async () => {
  // Lighthouse requests /robots.txt in the name of the page, whose policy blocks it. The file belongs to the host.
  const scores = await runLighthouse(`${await serveSite()}inspector.html`, { skipAudits: ['robots-txt'] })
  expect(Math.min(...Object.values(scores))).toBeGreaterThanOrEqual(MIN_SCORE)
})
