import {
  Controller,
  Get,
  Module,
  Param,
  Post,
  StandardSchemaValidationPipe,
} from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import {
  defineId,
  type IdOf,
  type IdType,
  type TypedId,
} from 'typed-id'
import { withJsonSchema } from 'typed-id/standard'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const findUser = (id: UserId) => ({ id }) // from your database

/** A parameter of another type does not compile. */
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

@Controller('users')
class UserController {
  @Get(':user_id')
  find(@IdParam('user_id', UserId) id: UserId) {
    return findUser(id)
  }

  @Post()
  create() {
    return { id: UserId.generate() }
  }
}

@Module({ controllers: [UserController] })
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
