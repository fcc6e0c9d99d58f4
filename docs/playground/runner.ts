/** Maximum number of lines. A program that prints more is stopped. */
const MAX_LINES = 200

const AsyncFunction = (async () => {}).constructor as new (
  ...values: string[]
) => (...values: unknown[]) => Promise<void>

/** Runs one script in this worker. Posts each line that the script prints, and then null. */
export function startRunner(modules: Readonly<Record<string, unknown>>): void {
  let lines = 0
  const print = (...values: unknown[]) => {
    if (++lines > MAX_LINES) throw new Error(`more than ${MAX_LINES} lines`)
    postMessage(values.map(format).join(' '))
  }
  const require = (name: string) => {
    if (Object.hasOwn(modules, name)) return modules[name]
    throw new Error(`the playground does not have the package "${name}"`)
  }
  addEventListener('message', async ({ data }: MessageEvent<string>) => {
    try {
      await new AsyncFunction('require', 'exports', 'console', data)(require, {}, { log: print })
    } catch (error) {
      postMessage(String(error))
    }
    postMessage(null)
  })
}

function format(value: unknown): string {
  if (typeof value === 'string' || value instanceof Error) return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value) // JSON cannot represent a bigint, or an object that contains itself
  }
}
