import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import { parse, stringify } from 'devalue'
import superjson from 'superjson'
import { isTypedIdError } from 'typed-id'
import { describe, expect, test } from 'vitest'
import { TeamId, UserId } from './ids.ts'

const failure = UserId.safeParse(TeamId.example)
const { issues } = UserId['~standard'].validate(TeamId.example)

const BOUNDARIES = {
  structuredClone: (value: unknown) => structuredClone(value),
  postMessage(value: unknown): unknown {
    const { port1, port2 } = new MessageChannel()
    port1.postMessage(value)
    const received = receiveMessageOnPort(port2)
    port1.close()
    return received?.message
  },
  superjson: (value: unknown) => superjson.parse(superjson.stringify(value)),
  devalue: (value: unknown) => parse(stringify(value)),
}

describe.each(Object.entries(BOUNDARIES))('%s', (name, cross) => {
  test('keeps a spread error, and the issues of a Standard Schema', () => {
    const { message } = failure.error ?? {}
    const code = 'wrong_type'
    const [expected, received] = ['user', 'team']
    const reason = 'wrong type: expected user, received team'
    const fields = { message, code, expected, received }
    expect(cross({ ...failure.error })).toEqual({ ...fields, reason })
    expect(cross(issues)).toEqual([fields])
  })

  if (name === 'devalue')
    test('throws for an error', () => {
      expect(() => cross(failure)).toThrow('non-POJO')
    })
  else
    test('keeps only the message of an error', () => {
      const { error } = cross(failure) as typeof failure
      expect(error?.message).toBe(failure.error?.message)
      expect([error?.code, isTypedIdError(error)]).toEqual([undefined, false])
    })
})
