import { desktopConfig } from 'lighthouse'
import type { Browser, Page } from 'playwright-core'
import { MIN_SCORE, runLighthouse } from 'testkit/lighthouse.ts'
import { expect, test } from 'vitest'
import { newPage, open, serveSite } from './pages.ts'

/** The slowdown of a mid-range phone compared to a desktop computer, as Lighthouse simulates it. */
const SLOWDOWN = 4
/** Milliseconds that a desktop computer takes for `compute`. A slower machine is allowed proportionally more time. */
const DESKTOP_MS = 7
/** Trace events in which JavaScript runs, including the style calculations and layouts that JavaScript forces. */
const SCRIPTS = ['EvaluateScript', 'EventDispatch', 'FireAnimationFrame', 'FireIdleCallback', 'FunctionCall']
SCRIPTS.push('RunMicrotasks', 'TimerFire', 'v8.compile', 'v8.compileModule', 'v8.evaluateModule')

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  /** Start and duration in microseconds. `tdur` is the processor time of the thread. */
  readonly ts: number
  readonly dur: number
  readonly tdur?: number
}

/** Returns the processor time that JavaScript takes on the main thread to load a page, in ms. */
async function measure(page: Page, url: string): Promise<number> {
  const browser = page.context().browser() as Browser
  await browser.startTracing(page, { categories: ['devtools.timeline', 'v8.execute'] })
  await open(page, url)
  await page.waitForLoadState('networkidle')
  const { traceEvents } = JSON.parse(String(await browser.stopTracing()))
  const threads = Map.groupBy(traceEvents as TraceEvent[], ({ pid, tid }) => `${pid}:${tid}`)
  return Math.max(...[...threads.values()].map(sumScripts)) / 1000
}

/** Adds up the durations of events. Counts an event that is inside of another one only once. */
function sumScripts(events: readonly TraceEvent[]): number {
  let sum = 0
  let end = 0
  for (const { name, ts, dur, tdur } of events.toSorted((a, b) => a.ts - b.ts || b.dur - a.dur)) {
    if (tdur === undefined || ts < end || !SCRIPTS.includes(name)) continue
    sum += tdur
    end = ts + dur
  }
  return sum
}

/** Returns the shortest of ten durations, in ms, of a computation that all desktop computers do equally fast. */
function compute(): number {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < 10; attempt++) {
    const started = performance.now()
    let text = ''
    for (let n = 0; n < 20_000; n++) text = JSON.stringify({ n, text: text.slice(-40) })
    least = Math.min(least, performance.now() - started)
  }
  return least
}

async function slownessOf(page: Page): Promise<number> {
  return Math.max(1, (await page.evaluate(compute)) / DESKTOP_MS)
}

/** The limit in milliseconds. */
const LIMIT = 300

// One of up to five loads has to pass, because other processes make a load slower, but never faster.
test.each([
  'index.html',
  'guide/start.html',
  'guide/frameworks.html',
  'recipes/drizzle.html',
  'reference/library/typed-id.html',
])('JavaScript takes the main thread of a phone less than 300 ms to load %s', async (path) => {
  const url = await serveSite()
  let time = LIMIT
  for (let load = 1; load <= 5 && time >= LIMIT; load++) {
    const page = await newPage()
    time = (SLOWDOWN * (await measure(page, url + path))) / (await slownessOf(page))
    await page.close()
    console.log(`${path}, load ${load}: JavaScript takes ${time.toFixed(0)} ms`)
  }
  expect(time).toBeGreaterThan(0)
  expect(time).toBeLessThan(LIMIT)
})

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
