import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { parse, stringify } from 'devalue'
import superjson from 'superjson'
import { idRegistry, isTypedIdError } from 'typed-id'
import { defineTypeId } from 'typed-id/typeid'
import { describe, expect, test } from 'vitest'
import { TeamId, UserId } from './ids.ts'

const LineId = defineTypeId('order_line')

/** Send a value through a serialization or a thread, and return the result. */
const BOUNDARIES = {
  structuredClone: (value: unknown) => structuredClone(value),
  postMessage: (value: unknown): unknown => {
    const { port1, port2 } = new MessageChannel()
    port1.postMessage(value)
    const received = receiveMessageOnPort(port2)
    port1.close()
    return received?.message
  },
  JSON: (value: unknown) => JSON.parse(JSON.stringify(value)),
  superjson: (value: unknown) => superjson.parse(superjson.stringify(value)),
  devalue: (value: unknown) => parse(stringify(value)),
}

const schemas = { UserId, LineId, registry: idRegistry([UserId, LineId]) }

describe.each(Object.entries(BOUNDARIES))('%s keeps', (_, cross) => {
  test.each(Object.entries(schemas))(
    'the issues of %s as a Standard Schema',
    (_, schema) => {
      for (const value of [TeamId.example, 'nope', 5]) {
        const result = schema['~standard'].validate(value)
        expect(cross(result)).toEqual(result)
        expect(result.issues?.map(Object.keys)).toEqual([
          ['message', 'code', 'expected', 'received'],
        ])
      }
    },
  )

  test('a spread error', () => {
    const { error } = UserId.safeParse(TeamId.example)
    expect(cross({ ...error })).toEqual({
      message: error?.message,
      reason: 'wrong type: expected user, received team',
      code: 'wrong_type',
      expected: 'user',
      received: 'team',
    })
  })
})

test('the result of safeParse loses the code, or cannot cross', () => {
  const failure = UserId.safeParse(TeamId.example)
  for (const name of ['structuredClone', 'postMessage', 'superjson'] as const) {
    const { error } = BOUNDARIES[name](failure) as typeof failure
    expect(error?.message, name).toBe(failure.error?.message)
    expect([error?.code, isTypedIdError(error)]).toEqual([undefined, false])
  }
  expect(() => stringify(failure)).toThrow('non-POJO')
})
