import { registerHooks } from 'node:module'

/** Given to Node by `--import`: tells every module that is loaded, a line each, on standard error. */
registerHooks({
  load(url, context, next) {
    process.stderr.write(`${url}\n`)
    return next(url, context)
  },
})
