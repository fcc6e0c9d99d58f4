import { defineConfig } from 'tsup'

/**
 * One file to run, with the workspace's own library in it, and beside it what
 * is loaded only when asked for; the packages of the registry stay outside.
 */
export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node22',
  noExternal: ['typed-id'],
  sourcemap: true,
  clean: true,
})
