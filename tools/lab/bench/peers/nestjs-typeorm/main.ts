import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import { Module } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import Sqlite from 'better-sqlite3'
import type { NextFunction, Request, Response } from 'express'
import { DataSource } from 'typeorm'
import { TeamController, UserController } from './controllers.js'
import { Role, Team, User } from './entities.js'

/** A peer with common choices: NestJS on Express, class-validator, TypeORM. */
const url = process.env.DATABASE_URL ?? ''
const entities = [Team, Role, User]
const source = new DataSource(
  url.startsWith('postgres')
    ? { type: 'postgres', url, poolSize: 10, entities }
    : {
        type: 'better-sqlite3',
        database: url.replace('sqlite:', ''),
        driver: Sqlite,
        entities,
        prepareDatabase(db: Sqlite.Database) {
          db.pragma('journal_mode = WAL')
          db.pragma('synchronous = FULL')
          db.pragma('foreign_keys = ON')
        },
      },
)
await source.initialize()

@Module({
  controllers: [TeamController, UserController],
  providers: [{ provide: DataSource, useValue: source }],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error'] })
app.use((request: Request, response: Response, next: NextFunction) => {
  const given = request.get('x-request-id') ?? ''
  response.set('cache-control', 'no-store').set('x-content-type-options', 'nosniff')
  response.set('x-request-id', /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID())
  next()
})
await app.listen(Number(process.env.PORT), '127.0.0.1')
