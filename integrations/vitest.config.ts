import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The oldest supported version of each package that has a subpath, instead of the newest. */
const OLDEST = { kysely: 'kysely-min' }

/** Starting four servers takes long on a busy machine. */
const timeouts = { testTimeout: 60_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'newest',
          include: ['{orm,better-auth,lint,clients,react,opaque}/**/*.test.ts'],
          ...timeouts,
        },
      },
      {
        test: { name: 'recipes', include: ['frameworks/*.test.ts', '*.test.ts'], testTimeout: 120_000 },
        // The file that Node resolves for Pothos: Vite chooses another one, and graphql-js rejects a second copy.
        resolve: { alias: { graphql: fileURLToPath(import.meta.resolve('graphql')) } },
      },
      {
        test: {
          name: 'oldest',
          include: ['orm/matrix.test.ts'],
          env: { OLDEST: JSON.stringify(OLDEST) },
          ...timeouts,
        },
        resolve: { alias: OLDEST },
      },
      {
        test: { name: 'clients without plugins', include: ['clients/clients.test.ts'], ...timeouts },
        resolve: { alias: { '#generated': new URL('clients/generated/plain', import.meta.url).pathname } },
      },
    ],
  },
})
