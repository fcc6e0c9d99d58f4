/** Writes the picture of the documentation page, and its text: `pnpm --filter api run screenshot`. Needs Chromium. */
import { writeFile } from 'node:fs/promises'
import { captureDocsPage, PICTURE, TEXT } from './capture-docs-page.ts'

const { picture, text } = await captureDocsPage()
await writeFile(PICTURE, picture)
await writeFile(TEXT, text)
