import { Schema } from 'effect'
import { defineId, type IdType } from 'typed-id'

const UserId = defineId('user')

const idSchema = <P extends string>(type: IdType<P>) =>
  Schema.String.check(Schema.isPattern(new RegExp(type.pattern, 'u')))
    .annotate({ examples: [type.example] })
    .pipe(Schema.refine(type.is))

const Body = Schema.Struct({ user_id: idSchema(UserId) })

export const parse = Schema.decodeUnknownSync(Body)
export const describe = () => Schema.toJsonSchemaDocument(Body).schema
