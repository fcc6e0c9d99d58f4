interface TestModule {
  readonly children: {
    allTests(): Iterable<{ result(): { readonly state: string } }>
  }
}

/**
 * Vitest passes a run in which `-t` matches no test. This reporter fails the
 * run.
 */
export const failWithoutTests = {
  onTestRunEnd(
    modules: readonly TestModule[],
    _errors: unknown,
    reason: string,
  ) {
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
