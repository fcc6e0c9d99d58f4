import { registerHooks } from 'node:module'

/** For Node's `--import`: prints the URL of every module that is loaded, one per line, on standard error. */
registerHooks({
  load(url, context, next) {
    process.stderr.write(`${url}\n`)
    return next(url, context)
  },
})
