import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { DIST, newPage, open, serveSite, watch } from './pages.ts'

/** Retries an assertion. The compiler takes a second to start, and several seconds on a busy machine. */
const eventually = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 60_000 })

async function openPlayground(url: string, fragment = '') {
  const page = await newPage({ permissions: ['clipboard-read', 'clipboard-write'] })
  const problems = watch(page, url)
  await open(page, `${url}playground.html${fragment}`)
  const problemsOf = () => page.locator('.playground li').allTextContents()
  const outputOf = () => page.getByLabel('Output').textContent()
  return { page, problems, problemsOf, outputOf, code: page.getByLabel('Code', { exact: true }) }
}

/** Returns the message of the compiler for a program that imports the package of the workspace. */
function compile(code: string): string {
  const folder = fileURLToPath(new URL('.code/', import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}main.ts`, code)
  const module = ts.ModuleKind.NodeNext
  const program = ts.createProgram([`${folder}main.ts`], {
    strict: true,
    module,
    noEmit: true,
    allowImportingTsExtensions: true,
  })
  const [found] = program.getSemanticDiagnostics(program.getSourceFile(`${folder}main.ts`))
  rmSync(folder, { recursive: true })
  return found ? ts.flattenDiagnosticMessageText(found.messageText, '\n') : ''
}

test('shows the message of the compiler for a team id where a user id belongs, and the output of a link', async () => {
  const url = await serveSite('/a/b/')
  const first = await openPlayground(url)
  await eventually(first.problemsOf).toHaveLength(1)
  const wrong = await first.code.inputValue()
  const message = compile(wrong)
  expect(message).toContain(
    `Argument of type 'TypedId<"team">' is not assignable to parameter of type 'UserId'.`,
  )
  expect(await first.problemsOf()).toEqual([`Line 10${message}`])
  await expect
    .poll(first.outputOf)
    .toContain('TypedIdError: wrong type: expected user, received team in "team-')

  await first.page.getByRole('button', { name: 'Line 10' }).click()
  const selected = await first.code.evaluate((area: HTMLTextAreaElement) =>
    area.value.slice(area.selectionStart, area.selectionEnd),
  )
  expect(selected).toBe('TeamId.generate()')

  const right = `${wrong.replace(/console.log\(pathOf\(TeamId.*\n/, '')}console.log(UserId.prefix, await 'Zoë', [1n].length)`
  await first.code.fill(right)
  await eventually(first.problemsOf).toEqual([])
  await eventually(first.outputOf).toMatch(/^\/users\/user_[0-9a-z]{26}\nuser Zoë 1$/)
  await first.page.getByRole('button', { name: 'Copy link' }).click()
  await first.page.getByRole('button', { name: 'Copied' }).waitFor()
  const link = await first.page.evaluate(() => navigator.clipboard.readText())

  expect(link).toContain(`${url}playground.html#`)
  const second = await openPlayground(url, new URL(link).hash)
  expect(await second.code.inputValue()).toBe(right)
  await eventually(second.outputOf).toMatch(/^\/users\/user_[0-9a-z]{26}\nuser Zoë 1$/)
  expect(await second.page.locator('span[role=status]').textContent()).toBe('No type errors')
  // A change of only the fragment does not reload the page.
  await second.page.goto(`${url}playground.html#${btoa('console.log(1)')}`)
  await eventually(second.outputOf).toBe('1')
  expect([...first.problems, ...second.problems]).toEqual([])
})

test('code that does not end is stopped, and no code can send a request', async () => {
  const url = await serveSite('/a/b/')
  const { page, outputOf, code } = await openPlayground(url)
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  const target = `${url}index.html?sent-by-code`
  await code.fill(`
declare const fetch: any, WebSocket: any, importScripts: any
await fetch('${target}').catch((error: Error) => console.log('fetch', error.name))
try { importScripts('${target}') } catch (error) { console.log('import', (error as Error).name) }
while (true) {}`)
  await eventually(outputOf).toBe('fetch TypeError\nimport NetworkError\nStopped after 2 seconds.')
  await code.fill(`while (true) console.log('again')`)
  await eventually(outputOf).toContain('Error: more than 200 lines')
  await code.fill('void (async () => { for (let n = 0; n < 9; n++) await n; while (true) {} })()')
  await eventually(outputOf).toBe('')
  await eventually(async () => page.workers().map((worker) => worker.url())).toHaveLength(1) // only the compiler remains
  // Ignores other requests, because the site itself can request pages.
  expect(sent.filter((url) => url.includes('sent-by-code'))).toEqual([])
})

test('the compiler is below 1.1 MB, compressed, and other pages do not load it', async () => {
  const size = (name: string) => gzipSync(readFileSync(`${DIST}playground/${name}.js`), { level: 9 }).length
  console.log(`playground: checker ${size('checker')} bytes, runner ${size('runner')} bytes`)
  expect(size('checker') + size('runner')).toBeLessThan(1_100_000)
  const page = await newPage()
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.goto(await serveSite(), { waitUntil: 'networkidle' })
  expect(requests.filter((url) => url.includes('/playground/'))).toEqual([])
})
