import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  NotFoundException,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common'
import { hash } from '@node-rs/argon2'
import { DataSource } from 'typeorm'
import { v7 as uuid } from 'uuid'
import { Team, User } from './entities.js'
import {
  AssignmentPath,
  TeamCreate,
  TeamPath,
  UserCreate,
  UserPath,
  UserQuery,
  UserUpdate,
  validate,
} from './validation.js'

const notFound = (what: string) => new NotFoundException({ detail: `${what} not found` })

@Controller('teams')
export class TeamController {
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
export class UserController {
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
