import { defineConfig } from 'tsup'

/**
 * Builds one file with the service and the workspace's library, and further
 * files for modules that are imported on demand. npm packages are not bundled.
 */
export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node22',
  noExternal: ['typed-id'],
  sourcemap: true,
  clean: true,
})
