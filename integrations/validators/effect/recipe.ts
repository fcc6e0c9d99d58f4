import { Schema } from 'effect'
import type { IdType } from 'typed-id'
import { findUser, UserId } from '../../users.ts'

export const idSchema = <P extends string>(type: IdType<P>) =>
  Schema.String.check(Schema.isPattern(new RegExp(type.pattern, 'u')))
    .annotate({ examples: [type.example] })
    .pipe(Schema.refine(type.is))

const Body = Schema.Struct({ user_id: idSchema(UserId) })

export const find = (body: unknown) => findUser(Schema.decodeUnknownSync(Body)(body).user_id)
export const describe = () => Schema.toJsonSchemaDocument(Body).schema
