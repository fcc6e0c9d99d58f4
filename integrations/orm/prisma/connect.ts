import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import { PrismaPg } from '@prisma/adapter-pg'
import type { IdStorage } from 'typed-id/codec'
import { extendWithIds } from 'typed-id/prisma'
import { NoteId, TeamId, UserId } from '../ids.ts'
import type { PrismaClient } from './generated/postgres-text/client/client.ts'

declare global {
  namespace PositionIds {
    type UserId = import('../ids.ts').UserId
    type TeamId = import('../ids.ts').TeamId
    type NoteId = import('../ids.ts').NoteId
  }
}

const ADAPTERS = {
  postgres: (host: string) => new PrismaPg({ host, user: 'postgres' }),
  sqlite: (file: string) => new PrismaBetterSqlite3({ url: `file:${file}` }),
}

/** The types of `User.teamId`, `Note.authorId` and `Note.parentId` follow from the relations. */
const FIELDS = { User: { id: UserId }, Team: { id: TeamId }, Note: { id: NoteId } }
const LISTS = { Note: { ...FIELDS.Note, readers: UserId } }

/** Returns a client with the extension. The types of the clients differ only in the stored type of the columns. */
export async function connect(engine: keyof typeof ADAPTERS, socket: string, storage: IdStorage) {
  const schema = `${engine}-${storage}${process.env.PRISMA ?? ''}`
  const module = await import(`./generated/${schema}/client/client.ts`)
  const { dataModel } = await import(`./generated/${schema}/data-model.ts`)
  const client: PrismaClient = new module.PrismaClient({ adapter: ADAPTERS[engine](socket) })
  const fields = { ...FIELDS, ...(engine === 'postgres' && LISTS) }
  return extendWithIds(client, dataModel, storage, fields)
}
