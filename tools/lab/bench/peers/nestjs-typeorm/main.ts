import 'reflect-metadata'
import { randomUUID } from 'node:crypto'
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Module,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
  UnprocessableEntityException,
  ValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { hash } from '@node-rs/argon2'
import Sqlite from 'better-sqlite3'
import * as check from 'class-validator'
import type { NextFunction, Request, Response } from 'express'
import {
  Column,
  DataSource,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm'
import { v7 as uuid } from 'uuid'

/* A peer with common choices: NestJS on Express, class-validator, TypeORM. */

@Entity('teams')
class Team {
  @PrimaryColumn('text')
  id: string
  @Column('text')
  name: string
}

@Entity('roles')
class Role {
  @PrimaryColumn('text')
  id: string
  @Column('text')
  name: string
  @Column('text', { nullable: true })
  description: string | null
}

@Entity('users')
class User {
  @PrimaryColumn('text')
  id: string
  @Column('text')
  email: string
  @Column('text', { select: false })
  normalized_email: string
  @Column('text')
  name: string
  @Column('text', { select: false })
  password_hash: string
  @ManyToOne(() => Team)
  @JoinColumn({ name: 'team_id' })
  team: Team | null
  @ManyToMany(() => Role)
  @JoinTable({
    name: 'user_roles',
    joinColumn: { name: 'user_id' },
    inverseJoinColumn: { name: 'role_id' },
  })
  roles: Role[]
}

const IsId = (prefix: string) =>
  check.Matches(new RegExp(`^${prefix}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`), {
    message: `Expected ${prefix}-<lowercase uuid>`,
  })

class TeamPath {
  @IsId('team')
  team_id: string
}

class UserPath {
  @IsId('user')
  user_id: string
}

class AssignmentPath extends UserPath {
  @IsId('role')
  role_id: string
}

class UserQuery {
  @check.IsOptional()
  @IsId('team')
  team_id?: string
}

class TeamCreate {
  @check.IsString()
  @check.MaxLength(100)
  name: string
}

class UserCreate {
  @check.IsEmail()
  @check.MaxLength(255)
  email: string
  @check.IsString()
  @check.MaxLength(100)
  name: string
  @check.IsString()
  @check.IsNotEmpty()
  password: string
  @check.IsOptional()
  @IsId('team')
  team_id?: string | null
}

class UserUpdate {
  @check.IsOptional()
  @check.IsString()
  @check.MaxLength(100)
  name?: string | null
  @check.IsOptional()
  @IsId('team')
  team_id?: string | null
}

const PLACES = { params: 'path', query: 'query', body: 'body' } as const

/** Validates the path, the query or the body. Responds to invalid input with the same 422 body as the service. */
const validate = (source: keyof typeof PLACES, expectedType: new () => object) =>
  new ValidationPipe({
    expectedType,
    exceptionFactory: (errors: check.ValidationError[]) =>
      new UnprocessableEntityException({
        detail: errors.map(({ property, constraints = {} }) => ({
          type: 'string_pattern_mismatch',
          loc: [PLACES[source], property],
          msg: Object.values(constraints)[0],
        })),
      }),
  })

const notFound = (what: string) => new NotFoundException({ detail: `${what} not found` })

@Controller('teams')
class TeamController {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  @Get(':team_id')
  async find(@Param(validate('params', TeamPath)) { team_id }: TeamPath) {
    const team = await this.source.getRepository(Team).findOneBy({ id: team_id })
    if (team === null) throw notFound('Team')
    return team
  }

  @Post()
  async create(@Body(validate('body', TeamCreate)) { name }: TeamCreate) {
    const team = { id: `team-${uuid()}`, name }
    await this.source.getRepository(Team).insert(team)
    return team
  }
}

const RELATIONS = {
  relations: { team: true, roles: true },
  order: { id: 'ASC', roles: { id: 'ASC' } },
} as const

@Controller('users')
class UserController {
  constructor(@Inject(DataSource) private readonly source: DataSource) {}

  @Get()
  list(@Query(validate('query', UserQuery)) { team_id }: UserQuery) {
    const where = team_id === undefined ? {} : { team: { id: team_id } }
    return this.source.getRepository(User).find({ where, ...RELATIONS })
  }

  @Get(':user_id')
  async find(@Param(validate('params', UserPath)) { user_id }: UserPath) {
    const user = await this.source.getRepository(User).findOne({ where: { id: user_id }, ...RELATIONS })
    if (user === null) throw notFound('User')
    return user
  }

  @Post()
  async create(@Body(validate('body', UserCreate)) { email, name, password, team_id }: UserCreate) {
    const password_hash = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    const id = `user-${uuid()}`
    const team = team_id ? { id: team_id } : null
    const user = { id, email, normalized_email: email.toLowerCase(), name, password_hash, team }
    await this.source.getRepository(User).insert(user)
    return this.find({ user_id: id })
  }

  @Patch(':user_id')
  async change(
    @Param(validate('params', UserPath)) path: UserPath,
    @Body(validate('body', UserUpdate)) { name, team_id }: UserUpdate,
  ) {
    const change = { ...(name && { name }), ...(team_id && { team: { id: team_id } }) }
    if (Object.keys(change).length > 0)
      await this.source.getRepository(User).update({ id: path.user_id }, change)
    return this.find(path)
  }

  @Post(':user_id/roles/:role_id')
  @HttpCode(200)
  async assign(@Param(validate('params', AssignmentPath)) { user_id, role_id }: AssignmentPath) {
    await this.source
      .createQueryBuilder()
      .insert()
      .into('user_roles')
      .values({ user_id, role_id })
      .orIgnore()
      .execute()
    return this.find({ user_id })
  }
}

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
