import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** The rules of WCAG 2.2 AA, which include all earlier versions and level A. */
const TAGS = [
  'wcag2a',
  'wcag2aa',
  'wcag21a',
  'wcag21aa',
  'wcag22aa',
  'best-practice',
]

/**
 * The rules whose result depends on colours and on the width of the page. All
 * other rules depend on its elements only.
 */
export const RULES_OF_LOOKS = [
  'color-contrast',
  'link-in-text-block',
  'scrollable-region-focusable',
  'target-size',
]

/**
 * Returns a line for each element of the page that violates a rule, and the
 * number of rules that passed. First waits for transitions, during which
 * colours are between two themes. Open the page with `reducedMotion: 'reduce'`,
 * or an endless animation would never end.
 */
export async function findViolations(
  page: Page,
  rules?: readonly string[],
): Promise<{ violations: string[]; passed: number }> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().map(({ finished }) => finished))',
  )
  const runOnly: axe.RunOnly = rules
    ? { type: 'rule', values: [...rules] }
    : { type: 'tag', values: TAGS }
  const options = JSON.stringify({
    runOnly,
    resultTypes: ['violations'],
    preload: false,
  })
  const results: axe.AxeResults = await page.evaluate(
    `axe.run(document, ${options})`,
  )
  const violations = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id} at ${target.join(' ')}`),
  )
  return { violations, passed: results.passes.length }
}
