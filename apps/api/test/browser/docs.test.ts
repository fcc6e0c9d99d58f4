import { findViolations, launchBrowser, tryItOut } from 'testkit/browser.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, onTestFinished, test } from 'vitest'

async function openDocs() {
  const { url, get } = await startServiceForTest({
    DATABASE_URL: 'sqlite::memory:',
  })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  await page.waitForSelector('.opblock')
  return { get, page }
}

test('/ shows the documentation with every operation of the document, and explains the format of an id', async () => {
  const { get, page } = await openDocs()
  expect(new URL(page.url()).pathname).toBe('/docs')
  const { paths } = (await get('/openapi.json')).json
  const documented = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => method.toUpperCase() + path),
  )
  const texts = await page.locator('.opblock-summary-control').allTextContents()
  // Swagger UI puts zero-width spaces where a path may break.
  const shown = texts.map((text) => text.replaceAll('\u200b', ''))
  for (const operation of documented)
    expect(shown).toContainEqual(expect.stringMatching(`^${operation}[A-Z]`))
  expect(shown).toHaveLength(documented.length)
  expect(await page.locator('.info .description').textContent()).toMatch(
    /a hyphen and a UUID/,
  )
  const summary = page.locator('.opblock-summary').first()
  const copy = await summary.locator('.view-line-link button').boundingBox()
  const arrow = await summary.locator('.arrow').boundingBox()
  expect(copy && arrow && copy.x + copy.width).toBeLessThanOrEqual(
    arrow?.x ?? 0,
  )
})

test('a path parameter shows its pattern, its example and the error of the service for another type', async () => {
  const { page } = await openDocs()
  const operation = page.locator('#operations-users-getUser')
  await operation.locator('.opblock-summary-control').click()
  await expect
    .poll(() => operation.locator('.parameters').textContent())
    .toContain('^user-[0-9a-f]{8}-')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  const field = operation.getByPlaceholder('user_id')
  expect(await field.inputValue()).toMatch(/^user-0190163d-8694/)
  const isCut = await field.evaluate(
    ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
  )
  expect(isCut, 'the id does not fit in its field').toBe(false)
  const user_id = 'team-0190163d-8694-739b-aea5-966c26f8ad91'
  const response = await tryItOut(page, 'getUser', { parameters: { user_id } })
  expect(response.status).toBe(422)
  expect(response.shown).toContain('Expected user, received team')
})

test('"Try it out" alone creates a team and a user, changes the user, and lists it', async () => {
  const { page } = await openDocs()
  const team = await tryItOut(page, 'createTeam')
  expect(team).toMatchObject({ status: 201, json: { name: 'Engineering' } })
  const team_id = team.json.id
  const user = await tryItOut(page, 'createUser')
  expect(user).toMatchObject({ status: 201, json: { name: 'Ada', roles: [] } })
  const changed = await tryItOut(page, 'updateUser', {
    body: { team_id },
    parameters: { user_id: user.json.id },
  })
  const json = { ...user.json, team: team.json }
  expect(changed).toMatchObject({ status: 200, json })
  // Query parameters must not be prefilled: an example would filter the list.
  expect((await tryItOut(page, 'listUsers')).json).toEqual([json])
  const parameters = { team_id, limit: '5' }
  const filtered = await tryItOut(page, 'listUsers', { parameters })
  expect(filtered.json).toEqual([json])
  expect(new URL(filtered.url).search).toBe(`?limit=5&team_id=${team_id}`)
})

test('the page violates no rule of WCAG 2.2 AA, light and dark', async () => {
  const { page } = await openDocs()
  const reading = page.locator('#operations-users-getUser')
  await reading.locator('.opblock-summary-control').click()
  await reading.locator('.responses-table').waitFor()
  const creating = page.locator('#operations-users-createUser')
  await creating.locator('.opblock-summary-control').click()
  await creating.getByRole('button', { name: 'Try it out' }).click()
  await creating.getByLabel('Request body').waitFor()
  for (const [colorScheme, html] of [
    ['light', 'html:not([class*=dark])'],
    ['dark', 'html[class*=dark]'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(html).waitFor()
    expect((await findViolations(page)).violations).toEqual([])
  }
})
