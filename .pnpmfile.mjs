/*
 * Removes `devDependencies` and `scripts` from published manifests. Only this
 * repository uses them, and some of the names, such as `testkit`, belong to
 * unrelated packages on npm.
 */
export const hooks = {
  beforePacking({ devDependencies, scripts, ...manifest }) {
    return manifest
  },
}
