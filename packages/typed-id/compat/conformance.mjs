/**
 * Uses plain JavaScript without a test framework, because these checks must run
 * on every runtime that typed-id supports.
 *
 * @param library the exports of each subpath by its name: `{ index, zod, … }`
 * @param vectors dist/vectors.json with the vectors of the TypeID specification
 * as an added property `typeid`
 */
export async function conformance(library, vectors) {
  const failed = []
  let passed = 0

  async function check(name, claim, expected = true) {
    try {
      const [found, wanted] = [await claim(), expected].map((value) =>
        JSON.stringify(value),
      )
      if (found !== wanted)
        throw new Error(`expected ${wanted}, received ${found}`)
      passed++
    } catch (error) {
      failed.push(`${name}: ${error.message}`)
    }
  }

  for (const [name, exports] of Object.entries(library))
    await check(`the subpath ${name} exports functions`, () =>
      Object.values(exports).some((value) => typeof value === 'function'),
    )
  await checkVectors(check, library, vectors)
  await checkTypeIds(check, library, vectors.typeid)
  await checkRuntime(check, library)
  return { passed, failed }
}

async function checkVectors(check, { index, opaque }, vectors) {
  const { defineId, fromBase62, idFromName, toBase62, TypedIdError } = index
  for (const {
    why,
    prefix,
    standard,
    short,
    uuid,
    bytes,
    ms,
  } of vectors.valid) {
    const Id = defineId(prefix)
    const found = () => [
      [Id.is(standard), RegExp(Id.pattern).test(standard)],
      [Id.isEitherForm(short), RegExp(Id.shortPattern).test(short)],
      [Id.parse(standard), Id.parseEitherForm(standard)],
      [Id.fromShort(short), Id.parseEitherForm(short)],
      [Id.fromUuid(uuid), Id.fromBytes(Id.toBytes(standard))],
      [Id.toShort(standard), Id.toUuid(standard), hexOf(Id.toBytes(standard))],
      Id.timestamp(standard)?.getTime() ?? null,
    ]
    const same = [standard, standard]
    await check(`valid, ${why}`, found, [
      ...[[true, true], [true, true], same, same, same],
      ...[[short, uuid, bytes], ms],
    ])
  }
  for (const { why, prefix, form, text, code } of vectors.invalid) {
    const Id = defineId(prefix)
    const parse = form === 'short' ? Id.fromShort : Id.parse
    const result = () => [
      codeOf(TypedIdError, () => parse(text)),
      form !== 'short' && Id.is(text),
    ]
    await check(`invalid ${form} form, ${why}`, result, [code, false])
  }
  for (const { prefix, standard, base62 } of vectors.base62) {
    const Id = defineId(prefix)
    const found = () => [toBase62(Id, standard), fromBase62(Id, base62)]
    await check(`base 62, ${base62}`, found, [base62, standard])
  }
  for (const { prefix, name, namespace, standard } of vectors.names) {
    const id = () =>
      idFromName(defineId(prefix), name, namespace ?? undefined).catch(
        ({ code }) => code,
      )
    const expected = globalThis.crypto?.subtle ? standard : 'missing_crypto'
    await check(`idFromName, ${prefix} ${JSON.stringify(name)}`, id, expected)
  }
  for (const { prefix, key, standard, opaque: masked } of vectors.opaque) {
    const found = () => {
      const ids = opaque.opaqueIds(defineId(prefix), { keys: [key] })
      return [ids.toOpaque(standard), ids.fromOpaque(masked)]
    }
    await check(`opaque, ${key} ${standard}`, found, [masked, standard])
  }
}

async function checkTypeIds(check, { index, typeid: library }, vectors) {
  const { defineTypeId, fromString, fromUUID, toUUID } = library
  for (const { prefix, typeid, uuid } of vectors.valid) {
    const Id = defineTypeId(prefix)
    const found = () => [
      [Id.toUuid(Id.parse(typeid)), toUUID(typeid)],
      [Id.fromUuid(uuid), fromUUID(uuid, prefix)],
    ]
    await check(`TypeID, ${typeid}`, found, [
      [uuid, uuid],
      [typeid, typeid],
    ])
  }
  const PrefixId = defineTypeId('prefix')
  for (const { why, typeid } of vectors.invalid) {
    const result = () => [
      PrefixId.is(typeid),
      codeOf(index.TypedIdError, () => fromString(typeid)),
    ]
    await check(`invalid TypeID, ${why}`, result, [false, 'malformed_short'])
  }
}

async function checkRuntime(check, { index, opaque, typeid, zod }) {
  const { createUuidv7, defineId, TypedIdError, uuidv4 } = index
  const UserId = defineId('user')
  const TeamId = defineId('team')

  await check('values of other types are rejected', () =>
    [null, 1, 1n, Symbol('user'), {}, () => {}, new Proxy({}, {})].every(
      (value) =>
        !UserId.is(value) &&
        codeOf(TypedIdError, () => UserId.parse(value)) === 'not_a_string',
    ),
  )
  await check('10,000 random ids round trip', () =>
    Array.from({ length: 10_000 }, uuidv4).every((uuid) => {
      const id = UserId.fromBytes(TeamId.toBytes(TeamId.fromUuid(uuid)))
      return (
        UserId.fromShort(UserId.toShort(id)) === id &&
        UserId.toUuid(id) === uuid
      )
    }),
  )
  await check('200,000 ids of two types increase strictly', () =>
    increase(
      Array.from({ length: 200_000 }, (_, i) => {
        const Id = i % 2 ? UserId : TeamId
        return Id.toUuid(Id.generate())
      }),
    ),
  )
  await check('ids increase while the clock stands still', () =>
    increase(
      Array.from({ length: 50_000 }, createUuidv7({ now: () => 17e11 })),
    ),
  )
  await check(
    'a new id contains the current time',
    () => Math.abs(UserId.timestamp(UserId.generate()) - Date.now()) < 1000,
  )
  // esbuild renames a class that uses its own name, for example to `_TypeID`.
  // Minifiers shorten all names to at most three characters.
  await check('classes have their names', () =>
    [TypedIdError, typeid.TypeID].every(({ name }) =>
      /^(TypedIdError|TypeID|[\w$]{1,3})$/.test(name),
    ),
  )
  await check(
    'an error of safeParse has its name, and no stack frames, except on Hermes, which has no Error.stackTraceLimit',
    () => {
      const { error } = UserId.safeParse('nope')
      return (
        `${error}`.startsWith('TypedIdError: not a valid user id') &&
        (Error.stackTraceLimit === undefined || !/\n\s+at /.test(error.stack))
      )
    },
  )
  await check(
    'a key in base64 is read, except on Hermes, which has no atob',
    () =>
      typeof atob === 'undefined' ||
      opaque.opaqueIds(UserId, { keys: ['EjRWeJq83vD+3LqYdlQyEA=='] }).type ===
        UserId,
  )
  await check(
    'schemas of zod parse ids, and name both types of a wrong one',
    () => [
      zod.idSchema(UserId).parse(UserId.example),
      zod.eitherFormSchema(UserId).parse(UserId.toShort(UserId.example)),
      zod.idSchema(UserId).safeParse(TeamId.example).error.issues[0].message,
    ],
    [UserId.example, UserId.example, 'Expected user, received team'],
  )
}

function codeOf(TypedIdError, action) {
  try {
    action()
  } catch (error) {
    return error instanceof TypedIdError && error instanceof Error && error.code
  }
}

const hexOf = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const increase = (texts) =>
  texts.every((text, i) => i === 0 || texts[i - 1] < text)
