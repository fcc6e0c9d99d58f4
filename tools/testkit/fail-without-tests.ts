import type { Reporter } from 'vitest/node'

/** Fails a run in which `-t` matches no test, which Vitest would pass. */
export const failWithoutTests: Reporter = {
  onTestRunEnd(modules, _errors, reason) {
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    if (
      reason !== 'passed' ||
      tests.some((test) => test.result().state !== 'skipped')
    )
      return
    console.error('No test has run: -t must match the title of a test.')
    process.exitCode = 1
  },
}
