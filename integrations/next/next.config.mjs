/**
 * The options of the template. The test that copies the page checks the types,
 * with the built library.
 */
export default {
  cacheComponents: true,
  partialPrefetching: true,
  typescript: { ignoreBuildErrors: true },
}
