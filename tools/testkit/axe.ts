import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** WCAG 2.2 AA contains the rules of the versions and levels below. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Returns a line for each element of the page that violates a rule, and the number of rules that passed. Open the page
 * with `reducedMotion: 'reduce'`: transitions would show colours between those of two themes.
 */
export async function findViolations(page: Page): Promise<{ violations: string[]; passed: number }> {
  await page.evaluate(axe.source)
  const results = await page.evaluate(
    (values) =>
      window.axe.run(document, {
        runOnly: { type: 'tag', values },
        resultTypes: ['violations'],
        preload: false,
      }),
    TAGS,
  )
  const violations = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(' ')}`),
  )
  return { violations, passed: results.passes.length }
}

declare global {
  interface Window {
    axe: typeof axe
  }
}
