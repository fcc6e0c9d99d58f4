import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { launchBrowser } from 'testkit/browser.ts'
import { serve } from 'testkit/serve.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIST, open } from './pages.ts'

/* Copies each TypeScript example of the guide with its button, and compiles it with the library. */
const PACKAGE = fileURLToPath(new URL('../../packages/typed-id/', import.meta.url))
// The folder is in the package, because the examples import its development dependencies, too.
const FOLDER = `${PACKAGE}test/.copied/`
const TSC = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url))

const copied = new Map<string, string>()

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })

  const browser = await launchBrowser()
  const { url, close } = await serve(DIST, '/')
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
  const page = await context.newPage()
  const pages = globSync(['index.html', 'recipes.html', 'guide/**/*.html'], { cwd: DIST })
  for (const path of pages.map((file) => file.replaceAll('\\', '/')).sort()) {
    await open(page, url + path)
    const buttons = page.locator('div.language-ts > button.copy')
    for (let n = 0; n < (await buttons.count()); n++) {
      await buttons.nth(n).click()
      await page.locator('button.copy.copied').waitFor()
      const text = await page.evaluate(() => navigator.clipboard.readText())
      copied.set(`${path.replace(/\W+/g, '-')}-${n}`, text)
      await buttons.nth(n).evaluate((button) => button.classList.remove('copied'))
    }
  }
  await browser.close()
  close()
  for (const [name, code] of copied) writeFileSync(`${FOLDER}${name}.ts`, `${code}\nexport {}\n`)
  const include = ['./*.ts']
  const compilerOptions = { noUnusedLocals: false, typeRoots: [`${PACKAGE}../../node_modules/@types`] }
  writeFileSync(
    `${FOLDER}tsconfig.json`,
    JSON.stringify({ extends: `${PACKAGE}tsconfig.json`, include, compilerOptions }),
  )
}, 300_000)
afterAll(() => rmSync(FOLDER, { recursive: true }))

const compile = () =>
  promisify(execFile)(process.execPath, [TSC, '-p', FOLDER]).catch((error) => error as { stdout: string })

test('every copied example compiles, and has the types that it uses', async () => {
  expect(copied.size).toBeGreaterThan(30)
  for (const [name, code] of copied)
    if (/\b(UserId|TeamId)\b/.test(code)) expect(code, name).toMatch(/const UserId\b/)
  expect((await compile()).stdout).toBe('')
}, 120_000)

test('the message of the compiler on the home page is the real one', async () => {
  const file = `${FOLDER}index-html-0.ts`
  const code = readFileSync(file, 'utf8')
  const [directive = '', message = ''] = /\/\/ @ts-expect-error ((?:.+\n)(?:\/\/ .+\n)*)/.exec(code) ?? []
  expect(message).not.toBe('')
  writeFileSync(file, code.replace(directive, ''))
  expect((await compile()).stdout).toContain(message.replace(/\n(?:\/\/ )?/g, ' ').trim())
}, 120_000)
