/*
 * Removes from the published manifest what only this repository uses. Some of
 * the names, such as `testkit`, belong to other packages on npm.
 */
export const hooks = {
  beforePacking({ devDependencies, scripts, ...manifest }) {
    return manifest
  },
}
