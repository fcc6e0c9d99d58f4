import { afterAll } from 'vitest'
import { newPage, open, PAGES, serveSite } from './pages.ts'

/** A block of code as the copy button of its page copies it. */
export interface Block {
  /** The path of the page without `.html`, such as `guide/start`. */
  readonly page: string
  /** The id of the second-level heading above the block, or an empty string. */
  readonly section: string
  readonly language: string
  /** The file name that the page shows above the block. */
  readonly file: string | undefined
  readonly isFragment: boolean
  readonly code: string
}

/** The pages from which people copy. Other pages are about the service. */
const COPIED = /^(index|recipes|guide|benchmarks|comparison)/

export async function copyBlocks(): Promise<Block[]> {
  const url = await serveSite(afterAll)
  const page = await newPage({}, afterAll)
  await page.addInitScript(() => {
    const writeText = async (text: string) => {
      Object.assign(window, { copied: text })
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
  })
  const blocks: Block[] = []
  for (const path of PAGES.filter((path) => COPIED.test(path))) {
    await open(page, url + path)
    const found = await page.evaluate(() => {
      let section = ''
      const shown = '.vp-doc :is(h2, div[class*="language-"])'
      return [...document.querySelectorAll(shown)].flatMap((element) => {
        if (element.tagName === 'H2') section = element.id
        const button = element.querySelector<HTMLElement>('button.copy')
        if (!button) return []
        Object.assign(window, { copied: undefined })
        button.click()
        const name = element.previousElementSibling
        return {
          section,
          language: /language-(\w*)/.exec(element.className)?.[1] ?? '',
          file: name?.matches('p.file') ? name.textContent : undefined,
          isFragment: element.matches('.fragment'),
          code: (window as unknown as { copied: string }).copied,
        }
      })
    })
    const name = path.replace(/\.html$/, '')
    blocks.push(...found.map((block) => ({ page: name, ...block }) as Block))
  }
  return blocks
}
