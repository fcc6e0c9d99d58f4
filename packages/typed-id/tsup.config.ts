import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/zod.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  dts: true,
  clean: true,
})
