import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts', 'src/zod.ts'],
  format: ['esm', 'cjs'],
  target: 'es2022',
  dts: true,
  clean: true,
  // Puts the values of constants in their place: a bundle's `var` is no constant to V8.
  esbuildOptions(options) {
    options.minifySyntax = true
  },
})
