import type { Document } from 'testkit/document.ts'
import { operationsOf } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { listen } from '../support/listen.ts'

/** Requests that Swagger UI sends when a reader changes nothing: it fills in the examples of the document. */
describe.each(['a', 'b'] as const)('the document of Profile %s, tried on an empty database', (profile) => {
  const read = async () => {
    const service = await listen(profile)
    try {
      return (await service.get('/openapi.json')).json as Document & { info: { description: string } }
    } finally {
      await service.close()
    }
  }

  test('has no example on an optional query parameter, since Swagger UI would send it', async () => {
    const parameters = operationsOf(await read()).flatMap((operation) => operation.parameters)
    const optional = parameters.filter((parameter) => parameter.in === 'query' && !parameter.required)
    expect(optional.length).toBeGreaterThan(2)
    for (const parameter of optional) {
      expect(parameter, parameter.name).not.toHaveProperty('example')
      expect(parameter.schema, parameter.name).not.toHaveProperty('example')
    }
  })

  test('has the example of a path parameter at the parameter and in its schema', async () => {
    const parameters = operationsOf(await read()).flatMap((operation) => operation.parameters)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.length).toBeGreaterThan(3)
    for (const parameter of inPath) {
      expect(parameter, parameter.name).toMatchObject({
        example: expect.stringMatching(new RegExp(parameter.schema.pattern)),
      })
      expect(parameter, parameter.name).toMatchObject({ example: parameter.schema.example })
    }
  })

  test('has examples of bodies that create what they describe', async () => {
    const service = await listen(profile)
    try {
      const { components } = await read()
      for (const [path, name] of Object.entries({ '/teams': 'TeamCreate', '/users': 'UserCreate' })) {
        const response = await service.post(path, components.schemas[name]?.example)
        expect(response.status, `${path} ${response.text}`).toBe(profile === 'a' ? 201 : 200)
      }
      const [user] = (await service.get('/users')).json
      if (profile === 'a') {
        const change = components.schemas.UserUpdate?.example
        expect(await service.patch(`/users/${user.id}`, change)).toMatchObject({ status: 200 })
      }
    } finally {
      await service.close()
    }
  })

  test('explains the format of an id in its description', async () => {
    const { info } = await read()
    expect(info.description).toContain(PROFILES[profile].description)
    expect(info.description).toMatch(/a hyphen and a UUID/)
    expect(info.description).toMatch(/`user-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`/)
  })
})
