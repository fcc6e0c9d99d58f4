/* One program for the page and for its worker, which share most of the code. */
import { startPage } from './page.ts'
import { startWorker } from './worker.ts'

if (typeof document === 'undefined') startWorker()
else startPage((document.currentScript as HTMLScriptElement).text)
