import { launchBrowser, tryItOut } from '../test/support/browser.ts'
import { startService } from '../test/support/process.ts'

/** Where the picture and its text are stored. */
export const PICTURE = new URL('../../../docs/service/docs-page.webp', import.meta.url)
export const TEXT = new URL('docs-page.txt', import.meta.url)

/** The address in the picture, which is the same at each run. The service listens on a free port. */
const SHOWN = 'http://127.0.0.1:3000'

/**
 * Returns a picture (WebP) of the documentation page of `start --demo`, from its top to the list of teams that "Try it
 * out" has requested, and the text of the page up to there.
 */
export async function captureDocsPage(): Promise<{ picture: Buffer; text: string }> {
  const service = await startService({ DATABASE_URL: 'sqlite::memory:' }, [], undefined, ['--demo'])
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 1500 } })
    await page.route(`${SHOWN}/**`, async (route) => {
      const response = await route.fetch({ url: route.request().url().replace(SHOWN, service.url) })
      await route.fulfill({ response })
    })
    await page.goto(`${SHOWN}/docs`)
    await page.waitForSelector('.opblock')
    await tryItOut(page, 'listTeams')
    await page.evaluate('scrollTo(0, 0)')
    const session = await page.context().newCDPSession(page)
    // Playwright offers no WebP.
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 })
    // biome-ignore lint/performance/useDomNodeTextContent: only the text that is visible
    const [text = ''] = (await page.innerText('body')).split('Response headers')
    return { picture: Buffer.from(data, 'base64'), text }
  } finally {
    await browser.close()
    await service.stop()
  }
}
