import { findViolations } from 'testkit/axe.ts'
import { launchBrowser, tryItOut } from 'testkit/browser.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, onTestFinished, test } from 'vitest'

async function openDocs(profile: 'a' | 'b') {
  const service = await startServiceForTest({
    PROFILE: profile,
    DATABASE_URL: 'sqlite::memory:',
  })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(service.url)
  await page.waitForSelector('.opblock')
  return { service, page }
}

test('/ shows the documentation with every operation of the document', async () => {
  const { service, page } = await openDocs('a')
  expect(new URL(page.url()).pathname).toBe('/docs')
  // biome-ignore lint/suspicious/noExplicitAny: the document is tested elsewhere.
  const document: any = await (
    await fetch(`${service.url}/openapi.json`)
  ).json()
  const documented = Object.entries<object>(document.paths).flatMap(
    ([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const shown = await page.$$eval('.opblock', (blocks) =>
    blocks.map((block) => {
      const text = (selector: string) =>
        block.querySelector(selector)?.textContent?.trim() ?? ''
      // Swagger UI puts zero-width spaces where a path may break.
      return `${text('.opblock-summary-method')} ${text('.opblock-summary-path').replaceAll('\u200b', '')}`
    }),
  )
  expect(shown.sort()).toEqual(documented.sort())
  expect(shown).toHaveLength(11)
})

test('a path parameter shows its pattern, and its example once it can be tried', async () => {
  const { page } = await openDocs('a')
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
})

test('the button that copies a path is beside the arrow, not under it', async () => {
  const { page } = await openDocs('a')
  const summary = page.locator('.opblock-summary').first()
  const copy = await summary.locator('.view-line-link button').boundingBox()
  const arrow = await summary.locator('.arrow').boundingBox()
  expect(copy && arrow && copy.x + copy.width).toBeLessThanOrEqual(
    arrow?.x ?? 0,
  )
})

// 8 requests take about 1 s each to render, more on a busy machine.
const TIMEOUT = 180_000

test('"Try it out" alone creates a team, a role and a user, assigns the role and lists the user', {
  timeout: TIMEOUT,
}, async () => {
  const { page } = await openDocs('a')

  const team = await tryItOut(page, 'createTeam')
  expect(team).toMatchObject({ status: 201, json: { name: 'Engineering' } })
  const role = await tryItOut(page, 'createRole')
  expect(role).toMatchObject({ status: 201, json: { name: 'auditor' } })
  const user = await tryItOut(page, 'createUser')
  expect(user).toMatchObject({
    status: 201,
    json: { name: 'Ada', team: null, roles: [] },
  })

  const user_id = user.json.id
  const assigned = await tryItOut(page, 'assignRole', {
    parameters: { user_id, role_id: role.json.id },
  })
  expect(assigned).toMatchObject({
    status: 200,
    json: { id: user_id, roles: [role.json] },
  })
  const body = { team_id: team.json.id }
  expect(
    await tryItOut(page, 'updateUser', { body, parameters: { user_id } }),
  ).toMatchObject({
    status: 200,
    json: { name: 'Ada', team: team.json },
  })

  // Checks that "Try it out" sends no example values: the lists are complete.
  const expected = { id: user_id, team: team.json, roles: [role.json] }
  expect(await tryItOut(page, 'listUsers')).toMatchObject({
    status: 200,
    json: [expected],
  })
  expect(await tryItOut(page, 'listTeams')).toMatchObject({ json: [team.json] })
  expect(await tryItOut(page, 'listRoles')).toMatchObject({ json: [role.json] })
  const filtered = await tryItOut(page, 'listUsers', {
    parameters: { team_id: team.json.id, limit: '5' },
  })
  expect(filtered).toMatchObject({ status: 200, json: [expected] })
  expect(new URL(filtered.url).search).toBe(`?limit=5&team_id=${team.json.id}`)
})

test('"Try it out" alone creates and lists the users of Profile B', async () => {
  const { page } = await openDocs('b')
  const team = await tryItOut(page, 'createTeam')
  expect(team).toMatchObject({ status: 200, json: { name: 'Engineering' } })
  const user = await tryItOut(page, 'createUser')
  expect(user).toMatchObject({
    status: 200,
    json: { name: 'Ada', team_id: null },
  })
  expect(await tryItOut(page, 'listUsers')).toMatchObject({
    status: 200,
    json: [user.json],
  })
})

test('an id of another type is sent, and the message of the service is shown', async () => {
  const { page } = await openDocs('a')
  const user_id = 'team-0190163d-8694-739b-aea5-966c26f8ad91'
  const response = await tryItOut(page, 'getUser', { parameters: { user_id } })
  expect(response).toMatchObject({
    status: 422,
    json: { detail: [{ msg: 'Expected user, received team' }] },
  })
})

test('the page violates no rule of WCAG 2.2 AA, light and dark', async () => {
  const { page } = await openDocs('a')
  await page
    .locator('#operations-users-getUser .opblock-summary-control')
    .click()
  await page.locator('#operations-users-getUser .responses-table').waitFor()
  const creating = page.locator('#operations-users-createUser')
  await creating.locator('.opblock-summary-control').click()
  await creating.getByRole('button', { name: 'Try it out' }).click()
  await creating.getByLabel('Request body').waitFor()
  for (const [colorScheme, html] of [
    ['light', 'html:not([class*=dark])'],
    ['dark', 'html[class*=dark]'],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Waits until the page has changed its colour scheme.
    await page.locator(html).waitFor()
    expect((await findViolations(page)).violations).toEqual([])
  }
})

test('the page explains the format of an id', async () => {
  const { page } = await openDocs('a')
  expect(await page.locator('.info .description').textContent()).toMatch(
    /a hyphen and a UUID/,
  )
})
