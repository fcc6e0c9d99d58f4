/*
 * `node orm/prisma/schema.ts` writes `generated/<name>/schema.prisma` for each
 * schema of the list below, and generates the clients of these schemas and of
 * the `schema.prisma` in docs/recipes/orms.md. With the argument `dmmf`, this
 * program is a Prisma generator, which writes the DMMF: the arguments and
 * results of every operation.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const SCHEMAS = [
  ['postgres-uuid', 'postgresql', 'String', '@db.Uuid', 'prisma'],
  ['sqlite-text', 'sqlite', 'String', '', 'prisma'],
  ['sqlite-bytes', 'sqlite', 'Bytes', '', 'prisma'],
  ['postgres-uuid-min', 'postgresql', 'String', '@db.Uuid', 'prisma-min'],
] as const

const command = (path: string, ...args: string[]) =>
  JSON.stringify(
    ['node', `"${join(import.meta.dirname, path)}"`, ...args].join(' '),
  )

if (process.argv[2] === 'dmmf') writeDmmf()
else writeSchemas()

function writeDmmf(): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'generate')
      writeFileSync(params.generator.output.value, JSON.stringify(params.dmmf))
    const result =
      method === 'getManifest' ? { manifest: { prettyName: 'DMMF' } } : null
    process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
  })
}

function writeSchemas(): void {
  for (const [name, provider, id, attribute, cli] of SCHEMAS) {
    const folder = join(import.meta.dirname, 'generated', name)
    mkdirSync(folder, { recursive: true })
    const schema = join(folder, 'schema.prisma')
    const type = (comment: string) => `/// [${comment}]`
    const list = provider === 'postgresql' ? `readers ${id}[] ${attribute}` : ''
    // Prisma 6 requires a URL, which Prisma 7 rejects. With the engine type
    // `client`, Prisma 6 does not download a query engine.
    const [engine, url] =
      cli === 'prisma'
        ? ['', '']
        : ['engineType = "client"', 'url = "postgresql://"']
    // The default makes `id` optional in Prisma's types of a creation, because
    // typed-id's extension adds the id. Prisma rejects the default for Bytes.
    const fallback = id === 'String' ? '@default(uuid(7))' : ''
    writeFileSync(
      schema,
      `generator client {
  provider = "prisma-client"
  output   = "client"
  importFileExtension = "ts"
  ${engine}
}

generator ids {
  provider = ${command('../../node_modules/typed-id/src/prisma/generator.ts')}
  output   = "data-model.ts"
  namespace = "PositionIds"
}

generator dmmf {
  provider = ${command('schema.ts', 'dmmf')}
  output   = "dmmf.json"
}

datasource db {
  provider = "${provider}"
  ${url}
}

model Team {
  ${type('TeamId')}
  id    ${id} @id ${fallback} ${attribute}
  name  String
  users User[]

  @@map("teams")
}

model User {
  ${type('UserId')}
  id     ${id} @id ${fallback} ${attribute}
  name   String
  ${type('TeamId')}
  teamId ${id}? @map("team_id") ${attribute}
  team   Team? @relation(fields: [teamId], references: [id])

  notes  Note[]

  @@map("users")
}

model Note {
  ${type('NoteId')}
  id       ${id} @id ${fallback} ${attribute}
  text     String
  ${type('UserId')}
  authorId ${id} @map("author_id") ${attribute}
  author   User @relation(fields: [authorId], references: [id])
  ${type('NoteId')}
  parentId ${id}? @map("parent_id") ${attribute}
  parent   Note? @relation("replies", fields: [parentId], references: [id])
  replies  Note[] @relation("replies")
  ${list && type('UserId')}
  ${list}

  @@unique([authorId, text])
  @@map("notes")
}
`,
    )
    generateClient(schema, cli)
  }
  generateClient(join(import.meta.dirname, 'schema.prisma'), 'prisma')
}

function generateClient(schema: string, cli: string): void {
  // /bin/true replaces Prisma's schema engine, a download that only migrations
  // need.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    CHECKPOINT_DISABLE: '1',
  }
  const modules = join(import.meta.dirname, '../../node_modules')
  execFileSync(
    process.execPath,
    [join(modules, cli, 'build/index.js'), 'generate', '--schema', schema],
    {
      env: { ...env, PATH: `${join(modules, '.bin')}:${process.env.PATH}` },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}
