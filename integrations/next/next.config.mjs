/**
 * The options of create-next-app's template, and `ignoreBuildErrors`, because
 * the nightly docs/test/copy.test.ts checks the types of this code.
 */
export default {
  cacheComponents: true,
  partialPrefetching: true,
  typescript: { ignoreBuildErrors: true },
}
