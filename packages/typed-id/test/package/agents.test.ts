import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { idCodec } from '../../src/codec.ts'
import {
  defineId,
  isTypedIdError,
  TYPED_ID_ERROR_CODES,
  TypedIdError,
  type TypedIdErrorCode,
  uuidv4,
} from '../../src/index.ts'
import { idPlugin } from '../../src/kysely.ts'
import { idExtension } from '../../src/prisma.ts'
import { countingUuids, replaceUuids, restoreUuids } from '../../src/testing.ts'
import { idSchema } from '../../src/zod.ts'

/*
 * AGENTS.md is for the coding agents of users. readme.test.ts runs its snippets. Every other sentence is a claim, which a
 * function of this file checks.
 */

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const document = readFileSync(`${PACKAGE}AGENTS.md`, 'utf8')
const UserId = defineId('user')
const TeamId = defineId('team')
const id = UserId.example
const short = UserId.toShort(id)

const codeOf = (action: () => unknown): TypedIdErrorCode | undefined => {
  try {
    action()
  } catch (error) {
    return isTypedIdError(error) ? error.code : undefined
  }
  return undefined
}
const runCommand = (...args: string[]) =>
  execFileSync(process.execPath, [`${PACKAGE}src/cli.ts`, ...args], { encoding: 'utf8' })

/** The check of each claim, so a changed claim fails until its check was changed, too. */
const CHECKS: Record<string, () => unknown> = {
  'TypeScript library for typed ids: plain strings such as `user-0190163d-8694-739b-aea5-966c26f8ad91` that contain their type and a UUID, version 7 by default. No dependencies.':
    () => {
      expect(UserId.generate()).toMatch(/^user-[0-9a-f]{8}-[0-9a-f]{4}-7/)
      expect(typeof UserId.generate()).toBe('string')
      expect(document).toContain(`\`${id}\``)
      expect(manifest).not.toHaveProperty('dependencies')
    },
  'A prefix is 1 to 63 ASCII letters and digits, compared exactly. `defineId` throws for any other.': () => {
    for (const prefix of ['A', '1a', 'x'.repeat(63)]) expect(defineId<string>(prefix).prefix).toBe(prefix)
    for (const prefix of ['', 'a_b', 'é', 'x'.repeat(64)])
      expect(codeOf(() => defineId<string>(prefix))).toBe('invalid_prefix')
    expect(UserId.is(id.replace('user', 'User'))).toBe(false)
  },
  'Store, compare and send the standard form, `<prefix>-<lowercase uuid>`. The short form, `<prefix>_<26 characters>`, is a TypeID of the same 128 bits, for people and URLs.':
    () => {
      expect(id).toMatch(/^user-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
      expect(short).toMatch(/^user_[0-9a-z]{26}$/)
      expect(UserId.fromShort(short)).toBe(id)
      expect(UserId.toBytes(id).length * 8).toBe(128)
    },
  'An id is a string: `===`, `<`, `Map` and JSON work, and a column is text. For native `uuid` columns, `typed-id/codec`, `typed-id/kysely` and `typed-id/prisma` convert.':
    () => {
      const [first, second] = [UserId.generate(), UserId.generate()]
      expect(first < second).toBe(true)
      expect(new Map([[first, 1]]).get(JSON.parse(JSON.stringify(first)))).toBe(1)
      expect(idCodec(UserId, 'uuid', 'users.id').toDatabase(id)).toBe(UserId.toUuid(id))
      expect([typeof idPlugin, typeof idExtension]).toEqual(['function', 'function'])
    },
  'Never cast a string to an id. `parse` throws, `safeParse` returns a result, and `is` narrows the type: they accept the standard form only. `parseAny`, `safeParseAny` and `isAny` accept either form.':
    () => {
      expect(codeOf(() => UserId.parse(short))).toBe('malformed_standard')
      expect([UserId.safeParse(short).success, UserId.is(short)]).toEqual([false, false])
      for (const either of [id, short]) {
        expect(UserId.parseAny(either)).toBe(id)
        expect(UserId.safeParseAny(either)).toEqual({ success: true, data: id })
        expect(UserId.isAny(either)).toBe(true)
      }
    },
  'Errors are `TypedIdError`s with a `code` of `TYPED_ID_ERROR_CODES`. Test for them with `isTypedIdError`: `instanceof` misses the errors of a second copy of the package.':
    async () => {
      const { error } = UserId.safeParse(1)
      expect(error).toBeInstanceOf(TypedIdError)
      expect(TYPED_ID_ERROR_CODES).toContain(error?.code)
      const copy: string = '../../src/error.ts?second-copy'
      const { TypedIdError: Second } = (await import(copy)) as { TypedIdError: typeof TypedIdError }
      const foreign = new Second('invalid_uuid', 'a uuid', 'x')
      expect([isTypedIdError(foreign), foreign instanceof TypedIdError]).toEqual([true, false])
    },
  'The functions of an id type can be passed as callbacks: `rows.map(UserId.toShort)`.': () => {
    expect([id, id].map(UserId.toShort)).toEqual([short, short])
    expect(['user-1', id].filter(UserId.is)).toEqual([id])
  },
  'New ids are strictly increasing in a process, across all types: sort by the id.': () => {
    const uuids = Array.from({ length: 2000 }, (_, i) =>
      i % 2 ? UserId.toUuid(UserId.generate()) : TeamId.toUuid(TeamId.generate()),
    )
    expect(uuids).toEqual([...new Set(uuids)].sort())
  },
  "Ids reveal their creation time. If they must not: `defineId('session', { uuid: uuidv4 })`.": () => {
    const before = Date.now()
    const SessionId = defineId('session', { uuid: uuidv4 })
    expect(UserId.timestamp(UserId.generate())?.getTime()).toBeGreaterThanOrEqual(before)
    expect(SessionId.timestamp(SessionId.generate())).toBeUndefined()
  },
  '`fromUuid` accepts a UUID of any version in lowercase only.': () => {
    const uuid = '550e8400-e29b-41d4-a716-446655440000'
    for (let version = 0; version < 16; version++) {
      const text = uuid.replace('-4', `-${version.toString(16)}`)
      expect(UserId.fromUuid(text)).toBe(`user-${text}`)
    }
    expect(codeOf(() => UserId.fromUuid(uuid.toUpperCase()))).toBe('invalid_uuid')
  },
  'Id types are frozen: a spy on them throws. In tests, use `replaceUuids` and `restoreUuids`.': () => {
    expect(() => vi.spyOn(UserId, 'generate')).toThrow()
    replaceUuids(countingUuids())
    expect(UserId.generate()).toBe('user-00000000-0000-7000-8000-000000000001')
    restoreUuids()
    expect(UserId.timestamp(UserId.generate())?.getFullYear()).toBeGreaterThan(2023)
  },
  'Every id type is a Standard Schema. The JSON Schema of `idSchema` has the pattern and an example.': () => {
    expect(UserId['~standard'].validate(id)).toEqual({ value: id })
    expect(z.toJSONSchema(idSchema(UserId))).toMatchObject({ pattern: UserId.pattern, example: id })
  },
  '`npx typed-id inspect <id>` prints the parts of an id, `npx typed-id scan <file>` counts the ids in any text. Their output is JSON if it is not a terminal.':
    () => {
      expect(JSON.parse(runCommand('inspect', short))).toMatchObject({ standard: id, form: 'short' })
      const folder = mkdtempSync(join(tmpdir(), 'typed-id-agents-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      writeFileSync(join(folder, 'log'), `GET /users/${id} by ${short}\n`)
      const counts = JSON.parse(runCommand('scan', join(folder, 'log')))
      expect(counts).toEqual({ type: 'user', standard: 1, short: 1, invalid: 0 })
    },
  '`README.md` lists every export, `src` has the docstrings, `dist/vectors.json` has valid and invalid ids.':
    () => {
      // subpaths.test.ts compares the exports with the README.
      for (const file of ['README.md', 'src/types.ts']) expect(existsSync(PACKAGE + file)).toBe(true)
      expect(manifest.publishConfig.exports['./vectors.json']).toBe('./dist/vectors.json')
      expect(manifest.files).toEqual(expect.arrayContaining(['README.md', 'src', 'dist', 'AGENTS.md']))
    },
}

/** The text outside of code: one claim per list item, and the quotation. */
const prose = document.replace(/^```ts\n[\s\S]*?^```\n/gm, '')
const claims = prose
  .replace(/^# .+\n/, '')
  .split(/\n(?=- )|\n{2,}/)
  .map((claim) =>
    claim
      .replace(/^(?:- |> )/, '')
      .replace(/\n(?:> | *)/g, ' ')
      .trim(),
  )
  .filter(Boolean)

test.each(claims)('%s', async (claim) => {
  const check = CHECKS[claim]
  if (!check) expect.fail('nothing checks this claim of AGENTS.md: change or add a function in CHECKS')
  await check()
})

test('every check belongs to a claim, and the document has at most 60 lines', () => {
  expect(claims.toSorted()).toEqual(Object.keys(CHECKS).sort())
  expect(document.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})
