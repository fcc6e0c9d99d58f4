import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(new URL('../tools/package.json', import.meta.url))
const { chromium } = require('playwright-core')
const browser = await chromium.launch({
  executablePath: process.argv[2],
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
})
const page = await browser.newPage()
// localhost is a secure context. Any other page without https lacks
// crypto.subtle, which `idFromName` needs.
await page.route('http://localhost/', (route) =>
  route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
)
await page.goto('http://localhost/')
await page.addScriptTag({
  content: readFileSync('page.bundle.js', 'utf8'),
  type: 'module',
})
await page.waitForFunction('globalThis.result')
console.log(JSON.stringify(await page.evaluate('globalThis.result')))
await browser.close()
