/*
 * The claims that must hold on every runtime, in plain JavaScript without a test framework. The compat run passes the
 * library as each runtime loads it from the packed tarball. The tests pass the sources.
 */

/**
 * Runs the cases of every subpath.
 *
 * @param library the exports of each subpath by its name: `{ index, zod, … }`
 * @param vectors the files of test/vectors by their names: `{ valid, invalid, …
 * }`
 * @returns the number of cases that passed, and a message for each that failed
 */
export async function conformance(library, vectors) {
  const failed = []
  let passed = 0

  function check(name, claim, expected = true) {
    try {
      const [found, wanted] = [claim(), expected].map((value) =>
        JSON.stringify(value),
      )
      if (found !== wanted)
        throw new Error(`expected ${wanted}, received ${found}`)
      passed++
    } catch (error) {
      failed.push(`${name}: ${error.message}`)
    }
  }

  for (const name of Object.keys(library)) {
    const cases = CASES[name]
    if (cases) await cases(check, library, vectors)
    else failed.push(`no cases for the subpath ${name}`)
  }
  return { passed, failed }
}

/** The cases of each subpath, by the name of its source file. */
export const CASES = {
  async index(check, library, vectors) {
    checkCore(check, library, vectors)
    checkBase62(check, library, vectors)
    checkLoose(check, library)
    checkRange(check, library)
    checkJsonSchema(check, library)
    await checkNames(check, library, vectors)
  },

  zod(check, { index, zod }) {
    const UserId = index.defineId('user')
    const id = UserId.example
    check('idSchema reads an id', () => zod.idSchema(UserId).parse(id), id)
    check(
      'eitherFormSchema reads a short id',
      () => zod.eitherFormSchema(UserId).parse(UserId.toShort(id)),
      id,
    )
    const issue = () =>
      zod.idSchema(UserId).safeParse(index.defineId('team').example).error
        .issues[0].message
    check(
      'the issue of idSchema names both types',
      issue,
      'Expected user, received team',
    )
  },

  testing(check, { index, testing }) {
    const { defineId } = index
    check(
      'replaceUuids replaces the source of every type until restoreUuids',
      () => {
        const UserId = defineId('user')
        testing.replaceUuids(testing.countingUuids())
        const first = UserId.generate()
        testing.restoreUuids()
        return (
          first === 'user-00000000-0000-7000-8000-000000000001' &&
          UserId.generate() > first
        )
      },
    )
  },

  opaque(check, { index, opaque: library }, { opaque: vectors }) {
    const UserId = index.defineId('user')
    for (const { key, uuid, opaque } of vectors) {
      const { toOpaque, fromOpaque } = library.opaqueIds(UserId, {
        keys: [key],
      })
      check(
        `opaque, ${key} ${uuid}: written`,
        () => toOpaque(`user-${uuid}`),
        `user-${opaque}`,
      )
      check(
        `opaque, ${key} ${uuid}: read`,
        () => fromOpaque(`user-${opaque}`),
        `user-${uuid}`,
      )
    }
    check(
      'a key in base64 is the same key, except on Hermes, which has no atob',
      () => {
        if (typeof atob === 'undefined') return true
        const keys = [
          'EjRWeJq83vD+3LqYdlQyEA==',
          '123456789abcdef0fedcba9876543210',
        ]
        const [first, second] = keys.map((key) =>
          library.opaqueIds(UserId, { keys: [key] }),
        )
        return (
          first.toOpaque(UserId.example) === second.toOpaque(UserId.example)
        )
      },
    )
  },

  typeid(check, { index, typeid: library }, { typeid: vectors }) {
    const { defineTypeId, fromString, fromTypeId, fromUUID, toTypeId, toUUID } =
      library
    for (const { prefix, typeid, uuid } of vectors.valid) {
      const Id = defineTypeId(prefix)
      check(
        `typeid, ${typeid}: read`,
        () => [Id.toUuid(Id.parse(typeid)), toUUID(typeid)],
        [uuid, uuid],
      )
      check(
        `typeid, ${typeid}: written`,
        () => [Id.fromUuid(uuid), fromUUID(uuid, prefix)],
        [typeid, typeid],
      )
    }
    // Bundlers may minify the name.
    check('the class is named TypeID', () =>
      /^(TypeID|\w{1,2})$/.test(library.TypeID.name),
    )
    const PrefixId = defineTypeId('prefix')
    for (const { why, typeid } of vectors.invalid) {
      const result = () => [
        PrefixId.is(typeid),
        codeOf(index.TypedIdError, () => fromString(typeid)),
      ]
      check(`typeid, invalid: ${why}`, result, [false, 'malformed_short'])
    }
    check('TypeIDs increase strictly and convert to ids', () => {
      const LineId = defineTypeId('order_line')
      const ids = LineId.generateMany(1000)
      const UserId = index.defineId('user')
      const isSame =
        fromTypeId(UserId, toTypeId(UserId, UserId.example)) === UserId.example
      return ids.every(LineId.is) && increase(ids) && isSame
    })
  },

  codec(check, { index, codec }) {
    const UserId = index.defineId('user')
    for (const storage of ['text', 'uuid', 'bytes']) {
      check(`idCodec converts ids and null for the storage ${storage}`, () => {
        const { toDatabase, fromDatabase } = codec.idCodec(
          UserId,
          storage,
          'users.id',
        )
        return (
          fromDatabase(toDatabase(UserId.example)) === UserId.example &&
          toDatabase(null) === null
        )
      })
    }
  },

  prisma(check, { index, prisma }) {
    const UserId = index.defineId('user')
    const fields = [{ name: 'id', kind: 'scalar', type: 'String' }]
    const dataModel = [{ name: 'User', fields }]
    check('idExtension rejects a model that the schema lacks', () => {
      try {
        prisma.idExtension(dataModel, 'uuid', { Team: { id: UserId } })
      } catch (error) {
        return error instanceof TypeError
      }
      return false
    })
    const name = () =>
      prisma.idExtension(dataModel, 'uuid', { User: { id: UserId } }).name
    check('idExtension accepts the id fields of the schema', name, 'typed-id')
  },

  drizzle(check, { index, drizzle }) {
    const UserId = index.defineId('user')
    check('idColumn passes the conversions to customType', () => {
      const builder = {
        constructor: {
          [Symbol.for('drizzle:entityKind')]: 'PgCustomColumnBuilder',
        },
      }
      const given = []
      drizzle.idColumn(
        (params) => given.push(params) && (() => builder),
        UserId,
        'uuid',
      )
      return given[0].dataType() === 'uuid'
    })
  },

  openapi(check, { index, openapi }) {
    const { pattern } = index.defineId('user')
    const { transformer } = openapi.orval({})
    const names = () =>
      Object.keys(
        transformer({ id: { type: 'string', pattern } }).components.schemas,
      ).join()
    check('orval gets a component for each kind of id', names, 'UserId')
  },

  kysely(check, { index, kysely }) {
    const UserId = index.defineId('user')
    const condition = () =>
      JSON.stringify(kysely.idCheck(UserId, 'id', 'sqlite').toOperationNode())
    check('idCheck builds a condition', () => condition().includes(' glob '))
    check('idPlugin leaves a query without id columns unchanged', () => {
      const node = {
        kind: 'RawNode',
        sqlFragments: ['select 1'],
        parameters: [],
      }
      const plugin = kysely.idPlugin('uuid', { users: { id: UserId } })
      return (
        plugin.transformQuery({ node, queryId: { queryId: '1' } })
          .sqlFragments[0] === 'select 1'
      )
    })
  },
}

/**
 * Returns the code of the TypedIdError that the action throws, false for
 * another error, undefined for none.
 */
function codeOf(TypedIdError, action) {
  try {
    action()
  } catch (error) {
    return (
      error instanceof TypedIdError &&
      error instanceof Error &&
      error.name === 'TypedIdError' &&
      error.code
    )
  }
}

function increase(texts) {
  return texts.every((text, i) => i === 0 || texts[i - 1] < text)
}

function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )
}

function checkCore(check, { index }, { valid, invalid }) {
  const { createUuidv7, defineId, idRegistry, TypedIdError, uuidv4 } = index
  const UserId = defineId('user')
  const TeamId = defineId('team')

  for (const { why, prefix, uuid, suffix, ms } of valid) {
    const Id = defineId(prefix)
    const id = `${prefix}-${uuid}`
    const short = `${prefix}_${suffix}`
    const patterns = () =>
      RegExp(Id.pattern).test(id) && RegExp(Id.shortPattern).test(short)
    check(
      `valid, ${why}: accepted`,
      () => [Id.is(id), Id.parse(id), Id.parseEitherForm(short)],
      [true, id, id],
    )
    check(
      `valid, ${why}: converted`,
      () => [Id.toShort(id), Id.fromShort(short)],
      [short, id],
    )
    check(
      `valid, ${why}: bytes`,
      () => hexOf(Id.toBytes(id)),
      uuid.replaceAll('-', ''),
    )
    check(`valid, ${why}: from bytes`, () => Id.fromBytes(Id.toBytes(id)), id)
    check(`valid, ${why}: uuid`, () => [Id.toUuid(id), Id.fromUuid(uuid)], [
      uuid,
      id,
    ])
    check(
      `valid, ${why}: time`,
      () => Id.timestamp(id)?.getTime() ?? null,
      ms ?? null,
    )
    check(`valid, ${why}: patterns`, patterns)
  }

  for (const { why, form, text, code } of invalid) {
    const parse = form === 'short' ? UserId.fromShort : UserId.parse
    check(
      `invalid ${form}, ${why}`,
      () => codeOf(TypedIdError, () => parse(text)),
      code,
    )
    if (form === 'short') continue
    const result = () => [UserId.is(text), UserId.safeParse(text).error.code]
    check(`invalid ${form}, ${why}: result`, result, [false, code])
  }

  for (const value of [
    undefined,
    null,
    1,
    1n,
    true,
    Symbol('user'),
    {},
    [],
    () => {},
    new Proxy({}, {}),
  ]) {
    const result = () => [
      UserId.is(value),
      codeOf(TypedIdError, () => UserId.parse(value)),
    ]
    check(`a ${typeof value} is rejected`, result, [false, 'not_a_string'])
  }

  check('10,000 random ids round trip', () =>
    Array.from({ length: 10_000 }, uuidv4).every((uuid) => {
      const id = UserId.fromBytes(TeamId.toBytes(TeamId.fromUuid(uuid)))
      return (
        UserId.fromShort(UserId.toShort(id)) === id &&
        UserId.toUuid(id) === uuid
      )
    }),
  )
  check('200,000 ids of two types increase strictly', () =>
    increase(
      Array.from({ length: 200_000 }, (_, i) => {
        const Id = i % 2 ? UserId : TeamId
        return Id.toUuid(Id.generate())
      }),
    ),
  )
  check('generateMany generates increasing ids', () => {
    const ids = UserId.generateMany(50_000)
    return ids.length === 50_000 && increase(ids) && ids.every(UserId.is)
  })
  check('ids increase while the clock stands still', () =>
    increase(
      Array.from(
        { length: 50_000 },
        createUuidv7({ now: () => 1_700_000_000_000 }),
      ),
    ),
  )
  check(
    'a new id contains the current time',
    () => Math.abs(UserId.timestamp(UserId.generate()) - Date.now()) < 1000,
  )
  check('a version 4 id has no timestamp', () => {
    const SessionId = defineId('session', { uuid: uuidv4 })
    return SessionId.timestamp(SessionId.generate()) === undefined
  })
  check('a registry finds the type of an id', () => {
    const ids = idRegistry([UserId, TeamId])
    const found = ids.parseEitherForm(TeamId.toShort(TeamId.example))
    return (
      found.type === 'team' &&
      found.id === TeamId.example &&
      UserId.is(ids.generate('user'))
    )
  })
  check('Standard Schema validates', () => {
    const { validate } = UserId['~standard']
    return (
      validate(UserId.example).value === UserId.example &&
      validate('nope').issues.length === 1
    )
  })
  // Node prints the name of the class. Our build could rename a class that
  // refers to itself; a minifier may shorten it.
  check('the class of errors is called TypedIdError', () =>
    /^(TypedIdError|[\w$]{1,3})$/.test(index.TypedIdError.name),
  )
  check('an error is printed with its name', () =>
    `${UserId.safeParse('nope').error}`.startsWith(
      'TypedIdError: not a valid user id',
    ),
  )
  check(
    'an error from safeParse has no stack frames, except on Hermes, which has no Error.stackTraceLimit',
    () =>
      Error.stackTraceLimit === undefined ||
      !/\n\s+at /.test(UserId.safeParse('nope').error.stack),
  )
}

function checkBase62(check, { index }, vectors) {
  const UserId = index.defineId('user')
  for (const { uuid, digits } of vectors.base62) {
    const [id, text] = [`user-${uuid}`, `user_${digits}`]
    check(`base 62, ${digits}: written`, () => index.toBase62(UserId, id), text)
    check(`base 62, ${digits}: read`, () => index.fromBase62(UserId, text), id)
  }
  const ulid = '01J0B3V1MMEEDTX9CPDGKFHBCH'
  check(
    'a ULID becomes an id and back',
    () => index.toUlid(UserId, index.fromUlid(UserId, ulid)),
    ulid,
  )
}

function checkLoose(check, { index }) {
  const UserId = index.defineId('user')
  check('parseLoose returns the id for what people type', () =>
    [
      ' USER 01JOB3VIMMEEDTX9CPDGKFHBCH',
      'user\u20130190163d-8694-739b-aea5-966c26f8ad91',
    ].every((text) => index.parseLoose(UserId, text).data === UserId.example),
  )
}

function checkRange(check, { index }) {
  const UserId = index.defineId('user')
  check('the bounds of a millisecond contain its ids', () => {
    const id = UserId.fromUuid(index.uuidv7At(5))
    return (
      index.firstIdAt(UserId, 5) <= id &&
      id <= index.lastIdAt(UserId, 5) &&
      id < index.firstIdAt(UserId, 6)
    )
  })
}

function checkJsonSchema(check, { index }) {
  check('withJsonSchema documents an id', () => {
    const UserId = index.withJsonSchema(index.defineId('user'))
    const { pattern } = UserId['~standard'].jsonSchema.input({
      target: 'draft-07',
    })
    return pattern === UserId.pattern && UserId.is(UserId.generate())
  })
}

async function checkNames(check, { index }, { names }) {
  // React Native has no crypto.subtle.
  if (!globalThis.crypto?.subtle) {
    const error = await index
      .idFromName(index.defineId('user'), 'ada')
      .catch((error) => error)
    check(
      'idFromName names what is missing',
      () => error.code,
      'missing_crypto',
    )
    return
  }
  for (const { type, name: text, namespace, uuid } of names) {
    const Id = index.defineId(type)
    const id = await index.idFromName(Id, text, namespace)
    check(
      `idFromName, ${type} ${JSON.stringify(text)}`,
      () => id,
      `${type}-${uuid}`,
    )
  }
}
