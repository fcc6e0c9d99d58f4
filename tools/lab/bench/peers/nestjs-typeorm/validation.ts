import { UnprocessableEntityException, ValidationPipe } from '@nestjs/common'
import {
  IsEmail,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  type ValidationError,
} from 'class-validator'

const IsId = (prefix: string) =>
  Matches(new RegExp(`^${prefix}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`), {
    message: `Expected ${prefix}-<lowercase uuid>`,
  })

export class TeamPath {
  @IsId('team')
  team_id: string
}

export class UserPath {
  @IsId('user')
  user_id: string
}

export class AssignmentPath extends UserPath {
  @IsId('role')
  role_id: string
}

export class UserQuery {
  @IsOptional()
  @IsId('team')
  team_id?: string
}

export class TeamCreate {
  @IsString()
  @MaxLength(100)
  name: string
}

export class UserCreate {
  @IsEmail()
  @MaxLength(255)
  email: string
  @IsString()
  @MaxLength(100)
  name: string
  @IsString()
  @IsNotEmpty()
  password: string
  @IsOptional()
  @IsId('team')
  team_id?: string | null
}

export class UserUpdate {
  @IsOptional()
  @IsString()
  @MaxLength(100)
  name?: string | null
  @IsOptional()
  @IsId('team')
  team_id?: string | null
}

const PLACES = { params: 'path', query: 'query', body: 'body' } as const

/** Validates the path, the query or the body. Responds to invalid input with the same 422 body as the service. */
export const validate = (source: keyof typeof PLACES, expectedType: new () => object) =>
  new ValidationPipe({
    expectedType,
    exceptionFactory: (errors: ValidationError[]) =>
      new UnprocessableEntityException({
        detail: errors.map(({ property, constraints = {} }) => ({
          type: 'string_pattern_mismatch',
          loc: [PLACES[source], property],
          msg: Object.values(constraints)[0],
        })),
      }),
  })
