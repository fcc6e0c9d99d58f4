import { formatTable, REPOSITORY } from 'testkit/documents.ts'
import { defineId, type IdType } from 'typed-id'
import integrations from '../../../integrations/package.json' with {
  type: 'json',
}
import { SUBPATHS } from '../../../packages/typed-id/subpaths.ts'
import { OLDEST } from '../../../packages/typed-id/versions.ts'
import postgres from '../../../tools/postgres-versions/package.json' with {
  type: 'json',
}

export async function importTable(): Promise<string> {
  const rows = SUBPATHS.map(async ({ specifier, source }) => {
    const module = await import(
      new URL(`packages/typed-id/${source}`, REPOSITORY).href
    )
    const names = Object.keys(module).sort()
    return [`\`${specifier}\``, `\`${names.join('` `')}\``]
  })
  const columns = ['import', 'exports']
  return formatTable({ columns, rows: await Promise.all(rows) })
}

export function versionTable(): string {
  const prisma = integrations.devDependencies['prisma-client-min']
  const [server = ''] = Object.keys(postgres.dependencies)
  const rows = [
    ['Node', OLDEST.node],
    ['TypeScript', OLDEST.typescript],
    ['zod', OLDEST.zod],
    ['Kysely', OLDEST.kysely],
    ['Drizzle', OLDEST['drizzle-orm']],
    ['Prisma', prisma.replace(/.*@/, '')],
    ['PostgreSQL, for the SQL functions', server.replace(/.*-/, '')],
  ]
  return formatTable({ columns: ['', 'oldest version'], rows })
}

export function lengthTable(): string {
  let longest = ''
  try {
    for (;;) longest = defineId<string>(`${longest}a`).prefix
  } catch {} // one more character is invalid
  const UserId = defineId('user')
  const LongId = defineId<string>(longest)
  const shortOf = ({ toShort, example }: IdType<string>) => toShort(example)
  const rows = [
    [
      'standard',
      `\`${UserId.pattern}\``,
      UserId.example.length,
      LongId.example.length,
    ],
    [
      'short',
      `\`${UserId.shortPattern}\``,
      shortOf(UserId).length,
      shortOf(LongId).length,
    ],
  ]
  const columns = ['form', 'pattern', 'characters', 'with the longest prefix']
  return formatTable({ columns, rows })
}
