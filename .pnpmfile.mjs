/*
 * Removes `devDependencies` and `scripts`, which only this repository uses,
 * from published manifests.
 */
export const hooks = {
  beforePacking({ devDependencies, scripts, ...manifest }) {
    return manifest
  },
}
