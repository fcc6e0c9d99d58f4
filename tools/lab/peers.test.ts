import { expect, test } from 'vitest'
import { compareResponses } from './bench/compare-responses.ts'
import { createTemplate, DATABASES } from './bench/databases.ts'
import { selectPrograms, startServer } from './bench/servers.ts'
import { withScope } from './kit/scope.ts'

test.each(DATABASES)(
  'on %s, every peer of the benchmark responds to reads and writes as the service does, byte for byte',
  (database) =>
    withScope(async (scope) => {
      const { seeded, copy } = await createTemplate[database](scope, 300)
      const servers = await Promise.all(
        selectPrograms(database).map(async (program) =>
          startServer(scope, program, await copy()),
        ),
      )
      expect(await compareResponses(servers, seeded)).toBeGreaterThan(50)
    }),
)
