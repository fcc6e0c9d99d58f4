import {
  applyDecorators,
  Body,
  Controller,
  Get,
  Module,
  Param,
  Post,
  StandardSchemaValidationPipe,
  ValidationPipe,
} from '@nestjs/common'
import { APP_PIPE, NestFactory } from '@nestjs/core'
import {
  ApiProperty,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger'
import { ValidateBy } from 'class-validator'
import {
  defineId,
  type IdOf,
  type IdType,
  type TypedId,
  withJsonSchema,
} from 'typed-id'

const UserId = defineId('user')

// Not `type UserId`: SWC would emit the constant of that name as the
// class of a decorated parameter.
type User = { id: IdOf<typeof UserId> }

// Read your database here.
const findUser = (id: User['id']): User => ({ id })

/**
 * Parses the id in a path parameter. A handler that expects another
 * type does not compile.
 */
export function IdParam<P extends string>(
  name: string,
  type: IdType<P>,
) {
  const decorate = Param(name, {
    schema: withJsonSchema(type),
    pipes: [StandardSchemaValidationPipe],
  })
  return <
    M extends string,
    I extends number,
    T extends Record<M, (...args: never[]) => unknown>,
  >(
    target: T,
    method: M,
    index: I &
      (TypedId<P> extends Parameters<T[M]>[I] ? unknown : never),
  ) => decorate(target, method, index)
}

/** Validates and documents a property of a DTO. */
export function IdProperty(type: IdType<string>) {
  const { jsonSchema } = withJsonSchema(type)['~standard']
  return applyDecorators(
    ApiProperty(jsonSchema.input({ target: 'openapi-3.0' })),
    ValidateBy({
      name: 'isId',
      validator: {
        validate: type.is,
        defaultMessage: (args) =>
          `${args?.property}: no ${type.prefix} id`,
      },
    }),
  )
}

class Invitation {
  @IdProperty(UserId)
  invited_by!: IdOf<typeof UserId>
}

@Controller('users')
class UserController {
  @Get(':user_id')
  find(@IdParam('user_id', UserId) id: IdOf<typeof UserId>) {
    return findUser(id)
  }

  @Post()
  create() {
    return { id: UserId.generate() }
  }

  @Post('invitations')
  invite(@Body() { invited_by }: Invitation) {
    return findUser(invited_by)
  }
}

const pipe = new ValidationPipe({ forbidUnknownValues: true })

@Module({
  controllers: [UserController],
  providers: [{ provide: APP_PIPE, useValue: pipe }],
})
class AppModule {}

export async function createApp() {
  const app = await NestFactory.create(AppModule, { logger: false })
  const createDocument = () =>
    SwaggerModule.createDocument(app, new DocumentBuilder().build())
  SwaggerModule.setup('docs', app, createDocument, {
    jsonDocumentUrl: 'openapi.json',
  })
  return app
}
