import lighthouse, { desktopConfig } from 'lighthouse'
import { expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { serve } from './serve.ts'

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const PORT = 19_222

// The performance is measured in time, and other processes only lower it: the best of six runs counts.
test.each([
  { device: 'phone', config: undefined },
  { device: 'desktop', config: desktopConfig },
])(
  'Lighthouse gives the start page at least 95 in each category on a $device',
  { retry: 5 },
  async ({ device, config }) => {
    const [browser, { url, close }] = await Promise.all([
      launchBrowser(`--remote-debugging-port=${PORT}`),
      serve('/'),
    ])
    const result = await lighthouse(
      url,
      { port: PORT, onlyCategories: CATEGORIES, logLevel: 'error' },
      config,
    )
    await browser.close()
    close()
    const scores = CATEGORIES.map((name) => Math.round((result?.lhr.categories[name]?.score ?? 0) * 100))
    console.log(`Lighthouse, ${device}: ${CATEGORIES.map((name, i) => `${name} ${scores[i]}`).join(', ')}`)
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(95)
  },
)
