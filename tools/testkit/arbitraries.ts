import fc, { type Arbitrary } from 'fast-check'
import { type Document, resolved, type Schema, schemasIn } from './document.ts'

/**
 * Ids in earlier responses, by prefix, so that requests can refer to existing
 * rows.
 */
export type KnownIds = Map<string, string[]>

export function valid(
  document: Document,
  schema: Schema,
  known: KnownIds,
): Arbitrary<unknown> {
  const { type, ...rest } = resolved(document, schema)
  if (rest.enum) return fc.constantFrom(...rest.enum)
  if (rest.anyOf)
    return fc.oneof(
      ...rest.anyOf.map((part: Schema) => valid(document, part, known)),
    )
  if (Array.isArray(type))
    return fc.oneof(
      ...type.map((type) => valid(document, { ...rest, type }, known)),
    )
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'integer':
      return fc.integer({
        min: rest.minimum ?? Number.MIN_SAFE_INTEGER,
        max: rest.maximum ?? Number.MAX_SAFE_INTEGER,
      })
    case 'string':
      return text(rest, known)
    case 'array':
      return fc.array(valid(document, rest.items, known), {
        minLength: rest.minItems ?? 0,
        maxLength: rest.maxItems ?? 5,
      })
    case 'object':
      return fields(rest, (field) => valid(document, field, known))
    default:
      throw new Error(
        `cannot generate values of the schema ${JSON.stringify(schema)}`,
      )
  }
}

/**
 * Generates values whose fields are each valid for the schema, missing or
 * arbitrary.
 */
export function loose(
  document: Document,
  schema: Schema,
  known: KnownIds,
): Arbitrary<unknown> {
  const { properties } = resolved(document, schema)
  const good = properties
    ? fields({ properties, required: [] }, (field) =>
        loose(document, field, known),
      )
    : valid(document, schema, known)
  return fc.oneof(
    { weight: 3, arbitrary: good },
    { weight: 1, arbitrary: junk(document, known) },
  )
}

export const junk = (document: Document, known: KnownIds): Arbitrary<unknown> =>
  fc.oneof(
    fc.jsonValue({ stringUnit: codePoint }),
    fc.constantFrom(
      '',
      ' ',
      '\0',
      '\ud800',
      '𝒳'.repeat(101),
      'x'.repeat(300),
      "'; drop table users; --",
      '__proto__',
    ),
    fc.constantFrom(-1, 0, 1.5, 1e21, 2 ** 53, '1', 'NaN', '1001', '1e3', ' 1'),
    fc
      .constantFrom(...prefixesIn(document), 'unknown')
      .chain((prefix) => id(prefix, known)),
    matching(
      `^(${prefixesIn(document).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
    ),
  )

function prefixesIn(document: Document): string[] {
  const prefixes: string[] = schemasIn(document).flatMap(
    (schema) => schema['x-typed-id']?.prefix ?? [],
  )
  if (prefixes.length === 0)
    throw new Error('the document has no ids: no schema has x-typed-id')
  return [...new Set(prefixes)]
}

function fields(
  schema: Schema,
  arbitraryOf: (field: Schema) => Arbitrary<unknown>,
): Arbitrary<unknown> {
  const values = Object.entries<Schema>(schema.properties).map(
    ([name, field]) => [name, arbitraryOf(field)],
  )
  const requiredKeys = schema.required ?? []
  return fc.record(Object.fromEntries(values), { requiredKeys })
}

function text(schema: Schema, known: KnownIds): Arbitrary<string> {
  const prefix = schema['x-typed-id']?.prefix
  if (prefix) return id(prefix, known)
  const [, ofType] = /^\^(\w+)-/.exec(schema.pattern) ?? []
  if (ofType) return fc.oneof(matching(schema.pattern), id(ofType, known))
  const { minLength: min = 0, maxLength: max = 500, format } = schema
  // Prefers `format` to `pattern`, because fast-check cannot read every regular
  // expression that zod writes. The format `password` allows any string, so
  // the pattern or the lengths apply.
  if (format !== undefined && format !== 'password') {
    if (!Object.hasOwn(FORMATS, format))
      throw new Error(
        `cannot generate strings of the format ${format}: add it to FORMATS in tools/testkit/arbitraries.ts`,
      )
    return FORMATS[format as keyof typeof FORMATS]
  }
  if (schema.pattern) return matching(schema.pattern)
  return fc.oneof(
    fc.string({
      unit: codePoint.filter((c) => c !== '\0'),
      minLength: min,
      maxLength: max,
    }),
    fc.constantFrom('x'.repeat(max), '𝒳'.repeat(max), 'Ada'.slice(0, max)),
  )
}

const isoDate = fc
  .date({
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())

const FORMATS = {
  date: isoDate.map((text) => text.slice(0, 10)),
  'date-time': isoDate,
  // Half of the addresses come from a set of 33, so that duplicates occur.
  email: fc
    .tuple(
      fc.constantFrom('ada', 'GRACE', 'x'.repeat(60)),
      fc.oneof(fc.nat(10), fc.nat(10_000)),
    )
    .map(([name, n]) => `${name}.${n}@example.com`),
}

const id = (prefix: string, known: KnownIds): Arbitrary<string> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.nat().map((n) => {
        const ids = known.get(prefix) ?? []
        return (
          ids[n % ids.length] ??
          `${prefix}-0190163d-8694-739b-aea5-966c26f8ad91`
        )
      }),
    },
    {
      weight: 1,
      arbitrary: matching(
        `^${prefix}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
      ),
    },
  )

const matchingOf = new Map<string, Arbitrary<string>>()

/** Caches generators, because fast-check takes 40 ms to parse a pattern. */
function matching(source: string): Arbitrary<string> {
  const arbitrary =
    matchingOf.get(source) ?? fc.stringMatching(new RegExp(source))
  matchingOf.set(source, arbitrary)
  return arbitrary
}

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/**
 * Generates any character but a surrogate. fast-check's unit `binary` takes 2 s
 * in each process to build a table of all 1,112,064 characters.
 */
export const codePoint = fc.nat(0x10ffff - SURROGATES).map(
  (n) => String.fromCodePoint(n < FIRST_SURROGATE ? n : n + SURROGATES),
  (text) => {
    const [character = '', ...rest] = String(text)
    const code = character.codePointAt(0)
    if (code === undefined || rest.length > 0)
      throw new TypeError('expected one character')
    return code < FIRST_SURROGATE ? code : code - SURROGATES
  },
)
