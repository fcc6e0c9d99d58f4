import axe from 'axe-core'
import { expect, test } from 'vitest'
import { inTabs, launchBrowser, open, PAGES } from './browser.ts'
import { serve } from './serve.ts'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const LOOKS = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: '360 px wide', colorScheme: 'light', width: 360 },
] as const

// 45 pages in 3 looks: minutes on a busy machine.
test('no page violates WCAG 2.2 AA: light, dark, and 360 px wide', { timeout: 600_000 }, async () => {
  const [browser, { url, close }] = await Promise.all([launchBrowser(), serve('/')])
  const violations: string[] = []
  let rules = 0
  await inTabs(browser, async (page, path) => {
    await open(page, url + path)
    // Transitions would show colours between those of two themes.
    await page.addStyleTag({ content: '*, ::before, ::after { transition: none !important }' })
    await page.evaluate(axe.source)
    for (const { name, colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.waitForFunction(
        (dark) => document.documentElement.classList.contains('dark') === dark,
        colorScheme === 'dark',
      )
      const results = await page.evaluate(
        (values) =>
          window.axe.run(document, {
            runOnly: { type: 'tag', values },
            resultTypes: ['violations'],
            preload: false,
          }),
        TAGS,
      )
      rules += results.passes.length
      for (const { id, nodes } of results.violations)
        for (const { target } of nodes) violations.push(`${path}, ${name}: ${id} at ${target.join(' ')}`)
    }
  })
  await browser.close()
  close()
  console.log(
    `axe: ${PAGES.length} pages in ${LOOKS.length} looks, ${rules} rules passed, ${violations.length} violations`,
  )
  expect(violations).toEqual([])
})

declare global {
  interface Window {
    axe: typeof axe
  }
}
