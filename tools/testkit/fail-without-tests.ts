/** The part of Vitest's `TestModule` that `failWithoutTests` uses. */
interface Module {
  readonly children: {
    allTests(): Iterable<{ result(): { readonly state: string } }>
  }
}

/**
 * A reporter that fails a run in which `-t` matches no test, which Vitest would
 * pass.
 */
export const failWithoutTests = {
  onTestRunEnd(modules: readonly Module[], _errors: unknown, reason: string) {
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
