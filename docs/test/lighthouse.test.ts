import { desktopConfig } from 'lighthouse'
import { MIN_SCORE, runLighthouse } from 'testkit/lighthouse.ts'
import { serve } from 'testkit/serve.ts'
import { expect, test } from 'vitest'
import { DIST } from './pages.ts'

test.each([
  { device: 'phone', config: undefined },
  { device: 'desktop', config: desktopConfig },
])('Lighthouse gives the start page at least 95 in each category on a $device', async ({ config }) => {
  const { url, close } = await serve(DIST, '/')
  const scores = await runLighthouse(url, {}, config)
  close()
  expect(Math.min(...Object.values(scores))).toBeGreaterThanOrEqual(MIN_SCORE)
})
