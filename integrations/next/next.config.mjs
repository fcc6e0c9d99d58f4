/**
 * The options of create-next-app's template, but without its type check: the
 * test that copies the page checks the types with the built library.
 */
export default {
  cacheComponents: true,
  partialPrefetching: true,
  typescript: { ignoreBuildErrors: true },
}
