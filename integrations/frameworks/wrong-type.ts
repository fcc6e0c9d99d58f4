import { defineId, type IdOf } from 'typed-id'
import { findUser, UserId } from '../users.ts'
import { IdParam } from './nestjs/recipe.ts'

const TeamId = defineId('team')

// @ts-expect-error: a team is not a user
findUser(TeamId.generate())
// @ts-expect-error: a string has to be validated first
findUser('user-1' as string)
// @ts-expect-error: any would hide a framework that does not infer the type
findUser(JSON.parse('"user-1"'))
// @ts-expect-error: the type with another brand is not that of the library
findUser(UserId.example as UserId & { brand: true })

export class Controller {
  // @ts-expect-error: the parameter is declared with the id of a team
  find(@IdParam('user_id', UserId) id: IdOf<typeof TeamId>) {
    return id
  }
}
