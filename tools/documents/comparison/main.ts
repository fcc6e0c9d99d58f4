/* Writes the table of docs/comparison.md: `pnpm --filter documents facts` */
import { readFileSync, writeFileSync } from 'node:fs'
import { PAGE, updatePage } from './page.ts'

writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8')))
