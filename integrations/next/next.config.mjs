/**
 * The options of create-next-app's template without Next's type check, because
 * docs/test/copy.test.ts checks the types of the same code with the built
 * library.
 */
export default {
  cacheComponents: true,
  partialPrefetching: true,
  typescript: { ignoreBuildErrors: true },
}
