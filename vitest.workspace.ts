import { defineConfig } from 'vitest/config'
import { projects } from './apps/api/vitest.projects.ts'

export default defineConfig({
  test: { projects: ['packages/*', 'examples/*', ...projects] },
})
