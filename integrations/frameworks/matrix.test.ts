import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { compileErrors } from '../compile.ts'
import { ID_CASES, UserId } from '../users.ts'
import type { Client } from './client.ts'
import { OPEN } from './open.ts'
import { FRAMEWORKS, PAGE, RECIPES, updatePage, VALIDATORS } from './recipes.ts'

/** A module `validators/<name>/recipe.ts`. */
interface Validator {
  /** Returns the user that a body `{ user_id }` names. Throws the error of the validator. */
  find(body: unknown): { id: string }
  /** Returns the JSON Schema of the body. */
  describe(): unknown
}

const ROOT = join(import.meta.dirname, '..')

describe.each(FRAMEWORKS)('$name', ({ folder, rejection }) => {
  let client: Client
  beforeAll(async () => {
    client = await (OPEN[basename(folder)] as () => Promise<Client>)()
    return () => client.close?.()
  })

  for (const [title, id] of Object.entries(ID_CASES))
    test(title, async () => {
      expect(await client.find(id)).toEqual(id === ID_CASES['right id'] ? { id } : { error: rejection })
    })

  test('generates an id', async () => {
    const ids = [await client.create(), await client.create()]
    expect(ids.filter(UserId.is)).toHaveLength(2)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('documents the pattern and an example', async () => {
    const document = await client.document()
    expect(document).toContain(UserId.pattern)
    expect(document).toContain(UserId.example)
  })
})

describe.each(VALIDATORS)('$name', ({ folder, rejection }) => {
  let validator: Validator
  beforeAll(async () => {
    validator = await import(join(ROOT, folder, 'recipe.ts'))
  })

  function findUser(body: unknown): { id: string } | { error: string } {
    try {
      return validator.find(body)
    } catch (error) {
      return { error: (error as Error).constructor.name }
    }
  }

  for (const [title, id] of Object.entries(ID_CASES))
    test(title, async () => {
      expect(findUser({ user_id: id })).toEqual(id === ID_CASES['right id'] ? { id } : { error: rejection })
    })

  test('no string', async () => {
    for (const body of [{ user_id: 1 }, { user_id: null }, {}])
      expect(findUser(body)).toEqual({ error: rejection })
  })

  test('emits a JSON Schema with the pattern and an example', async () => {
    expect(validator.describe()).toMatchObject({
      properties: { user_id: { type: 'string', pattern: UserId.pattern, examples: [UserId.example] } },
    })
  })
})

describe.each(RECIPES)('$name', ({ folder }) => {
  test('compiles, so the id has the type UserId', async () =>
    expect(await compileErrors('.', `${folder}/`)).toEqual([]))

  test('has a recipe of at most 40 lines', () => {
    expect(readFileSync(join(ROOT, folder, 'recipe.ts'), 'utf8').split('\n').length - 1).toBeLessThanOrEqual(
      40,
    )
  })
})

test('every recipe is in the list', () => {
  const files = globSync('{frameworks,validators}/*/recipe.ts', { cwd: ROOT })
  expect(files.sort()).toEqual(RECIPES.map(({ folder }) => join(folder, 'recipe.ts')).sort())
})

test('docs/guide/frameworks.md contains the tested versions (`WRITE=1` writes them)', () => {
  if (process.env.WRITE === '1') writeFileSync(PAGE, updatePage(readFileSync(PAGE, 'utf8')))
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toBe(updatePage(page))
})

test('findUser does not compile with an id of another type, a string or any', async () => {
  expect(await compileErrors('.', 'frameworks/wrong-type.ts')).toEqual([])
})
