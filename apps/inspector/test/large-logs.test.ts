import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { browser, openInspector, startPlace } from './open-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'typed-id-inspector-'))
const uuid = (number: number) => `0190163d-8694-739b-aea5-${number.toString(16).padStart(12, '0')}`

afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a log of a size. Each line has the id of a user, and every tenth the short form of a team, too. */
function writeLog(bytes: number): { file: string; lines: number; ids: number } {
  const lines: string[] = []
  for (let size = 0; size < bytes; size += lines.at(-1)?.length ?? 0) {
    const number = lines.length
    const team = number % 10 === 0 ? 'team=team_01j0b3v1mmeedtx9cpdgkfhbch ' : ''
    const time = new Date(1.78e12 + number * 37).toISOString()
    lines.push(
      `${time} INFO request completed path=/users/user-${uuid(number)} ${team}status=200 duration=12.5\n`,
    )
  }
  const file = join(folder, `${bytes}.log`)
  writeFileSync(file, lines.join(''))
  return { file, lines: lines.length, ids: lines.length + Math.ceil(lines.length / 10) }
}

/** Measures in the page, because Playwright takes longer than the page. */
async function startMeasuring(page: Page): Promise<void> {
  await page.evaluate(() => {
    const measured = { opened: 0, first: 0, partial: '', end: 0, longest: 0, nodes: 0, timers: 0 }
    Object.assign(window, { measured })
    const summary = document.getElementById('summary') as HTMLElement
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) measured.longest = Math.max(measured.longest, duration)
    }).observe({ entryTypes: ['longtask'] })
    document.getElementById('chooser')?.addEventListener(
      'change',
      () => {
        measured.opened = performance.now()
        const timer = setInterval(() => {
          if (measured.first > 0) measured.timers++
          if (measured.end > 0) clearInterval(timer)
        }, 10)
      },
      { capture: true },
    )
    new MutationObserver(() => {
      const now = performance.now() - measured.opened
      measured.nodes = Math.max(measured.nodes, document.querySelectorAll('*').length)
      if (measured.first === 0 && document.querySelector('.id')) {
        measured.first = now
        measured.partial = summary.textContent
      }
      if (measured.end === 0 && summary.textContent && !summary.textContent.includes('searching'))
        measured.end = now
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}

interface Measured {
  first: number
  partial: string
  end: number
  longest: number
  nodes: number
  timers: number
}

/** Returns the peak of the memory of the processes that show pages, in MB, or undefined where there is no /proc. */
async function readPeakMemory(): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  try {
    const peaks = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1000)
    return Math.max(...peaks)
  } catch {
    return undefined
  }
}

async function openLog(...files: string[]) {
  const { page, problems } = await openInspector(await startPlace('/'))
  await startMeasuring(page)
  const before = await readPeakMemory()
  await page.setInputFiles('#chooser', files)
  await page.waitForFunction(() => {
    const { first, end } = (window as unknown as { measured: Measured }).measured
    return first > 0 && end > 0 // A small log may be searched before its first ids are shown.
  })
  const measured = await page.evaluate(() => (window as unknown as { measured: Measured }).measured)
  const after = await readPeakMemory()
  const memory = before && after ? after - before : undefined
  return { page, problems, measured, memory }
}

test('a log of 50 MB is shown before it is searched, and the page responds meanwhile', async () => {
  const small = await openLog(writeLog(1e6).file)
  await small.page.context().close()
  const { file, lines, ids } = writeLog(50e6)
  const { page, problems, measured, memory } = await openLog(file)
  const { first, partial, end, longest, nodes, timers } = measured
  console.log(
    `50 MB: first ids after ${first.toFixed(0)} ms, all after ${end.toFixed(0)} ms, longest task ${longest.toFixed(0)} ms, ` +
      `${timers} timers of 10 ms in between, at most ${nodes} elements, ${memory?.toFixed(0)} MB more memory at the peak`,
  )
  const count = (number: number) => number.toLocaleString('en')
  expect(await page.locator('#summary').textContent()).toBe(
    `${count(ids)} ids of 2 types, ${count(lines + 1)} distinct, in ${count(lines)} lines, 50.0 MB`,
  )
  expect(partial).toContain('searching')
  expect(first).toBeLessThan(end)
  expect(timers).toBeGreaterThan(0)
  // Elements are those in view: as many as for a log of 1 MB.
  expect(nodes).toBeLessThan(small.measured.nodes * 1.5)

  const scroll = (top: number) => page.locator('#log').evaluate((log, top) => (log.scrollTop = top), top)
  await scroll(1e9)
  await expect.poll(() => page.locator('.number').last().textContent()).toBe(count(lines))
  await page.locator('.chip', { hasText: 'team' }).click()
  await expect.poll(() => page.locator('.number').first().textContent()).toBe('1')
  await scroll(1e9)
  const last = Math.floor((lines - 1) / 10) * 10
  await expect.poll(() => page.locator('.number').last().textContent()).toBe(count(last + 1))
  await page.locator('.id').last().click()
  expect(await page.locator('.card').textContent()).toContain('team_01j0b3v1mmeedtx9cpdgkfhbch')
  expect(await page.locator('*').count()).toBeLessThan(small.measured.nodes * 1.5)
  expect(problems).toEqual([])
})

test('memory does not grow with copies of the log', async () => {
  const { file, lines } = writeLog(50e6)
  const once = await openLog(file)
  await once.page.context().close()
  const fourTimes = await openLog(file, file, file, file)
  const summary = await fourTimes.page.locator('#summary').textContent()
  expect(summary).toContain(`in ${(lines * 4 + 3).toLocaleString('en')} lines`)
  console.log(
    `peak memory: ${once.memory?.toFixed(0)} MB for 50 MB, ${fourTimes.memory?.toFixed(0)} MB for 200 MB`,
  )
  // A copy of the other 150 MB would need as much.
  if (once.memory && fourTimes.memory) expect(fourTimes.memory - once.memory).toBeLessThan(150)
})

test('20 MB of JSON in one line are shown as rows of at most 400 bytes', async () => {
  const users = Array.from({ length: 250_000 }, (_, number) => ({
    id: `user-${uuid(number)}`,
    name: 'Zoë',
    tags: [],
  }))
  const file = join(folder, 'users.json')
  writeFileSync(file, JSON.stringify(users))
  const { page, measured } = await openLog(file)
  expect(await page.locator('#summary').textContent()).toMatch(
    /^250,000 ids of 1 type, 250,000 distinct, in 1 line, /,
  )
  expect(measured.nodes).toBeLessThan(1000)
  await page.locator('#log').evaluate((log) => (log.scrollTop = log.scrollHeight))
  await expect.poll(() => page.locator('.text').last().textContent()).toContain(uuid(249_999))
  const lengths = await page.$$eval('.text', (rows) => rows.map((row) => row.textContent.length))
  expect(Math.max(...lengths)).toBeLessThanOrEqual(400)
  expect(await page.locator('.text').allTextContents()).not.toContainEqual(expect.stringContaining('\ufffd'))
})

test('of 2 million lines, which are higher than an element can be, the last one is reached', async () => {
  const file = join(folder, 'lines.log')
  const number = 2_000_000
  writeFileSync(file, `${`user-${uuid(1)}\n`.repeat(10)}${'x\n'.repeat(number - 11)}team-${uuid(2)}\n`)
  const { page } = await openLog(file)
  await page.locator('.id').last().focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator('.id:focus').textContent()).toBe(`team-${uuid(2)}`)
  await expect.poll(() => page.locator('.number').last().textContent()).toBe(number.toLocaleString('en'))
})
