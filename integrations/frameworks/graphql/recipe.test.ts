import * as g from 'graphql'
import { describe, expect, test } from 'vitest'
import { ID_CASES, UserId } from '../../ids.ts'
import { schema, UserIdScalar } from './recipe.ts'

/*
 * Two projects in vitest.config.ts run this file: one with graphql 17, and one
 * with graphql 16, because graphql 17 does not support Node 20.
 */

const { 'right id': right, ...wrong } = ID_CASES

const find = (source: string, id?: unknown) =>
  g.graphql({ schema, source, variableValues: { id } })
const byVariable = (id: unknown) =>
  find('query ($id: UserId!) { user(id: $id) { id } }', id)
const byLiteral = (id: unknown) =>
  find(`{ user(id: ${JSON.stringify(id)}) { id } }`)

describe.each([
  ['a variable', byVariable],
  ['a literal', byLiteral],
])(`graphql ${g.version}, %s`, (_, find) => {
  test('accepts an id', async () => {
    expect(await find(right)).toEqual({ data: { user: { id: right } } })
  })

  test.each(Object.entries({ ...wrong, number: 5, null: null, list: ['x'] }))(
    'rejects %s',
    async (_, id) => {
      const { data, errors } = await find(id)
      expect(data).toBeUndefined()
      expect(errors).toHaveLength(1)
    },
  )
})

test('generates an id, and documents the pattern and an example', async () => {
  const { data } = await find('mutation { createUser { id } }')
  expect(data?.createUser).toEqual({ id: expect.stringMatching(/^user-/) })
  const document = g.printSchema(schema)
  expect(document).toContain(UserId.pattern)
  expect(document).toContain(UserId.example)
})

test('responds with the code and the message of the parser', async () => {
  const { errors } = await byVariable('user-1')
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining('not a valid user id'),
    extensions: { code: 'BAD_USER_INPUT' },
  })
})

test.each(Object.entries(wrong))('does not send %s', async (_, id) => {
  const query = new g.GraphQLObjectType({
    name: 'Query',
    fields: { id: { type: UserIdScalar, resolve: () => id } },
  })
  const { data, errors } = await g.graphql({
    schema: new g.GraphQLSchema({ query }),
    source: '{ id }',
  })
  expect(data).toEqual({ id: null })
  expect(errors).toHaveLength(1)
})
