import { createGraphqlClient } from '../graphql-client.ts'
import { schema } from './recipe.ts'

export const open = async () => createGraphqlClient(schema)
