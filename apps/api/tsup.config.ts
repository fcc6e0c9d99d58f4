import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/main.ts'],
  format: ['esm'],
  target: 'node22',
  noExternal: ['typed-id'],
  sourcemap: true,
  clean: true,
})
