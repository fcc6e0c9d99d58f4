import { patternToGlob } from '../../core/column-check.ts'
import { BASE32_DIGITS } from '../../core/digits.ts'
import type { IdType } from '../../core/types.ts'
import { type Dialect, describeCommand } from './dialect.ts'

export const sqlite: Dialect = {
  create: (types) => `${describeCommand('sqlite', types)}
-- SQLite has no stored functions. These tables show the columns of each type: copy the columns into your tables. An index
-- on short_id makes lookups by the short form fast. For the other functions, such as typed_id_generate('user'), see
-- registerFunctions of typed-id/sqlite.

${types.map(createTable).join('\n')}`,

  drop: (types) => `${describeCommand('sqlite', types, ' --drop')}

${types.map((type) => `drop table if exists ${tableOf(type)};`).join('\n')}
`,
}

function tableOf({ prefix }: IdType<string>): string {
  return `"typed_id_example_${prefix}"`
}

function createTable(type: IdType<string>): string {
  const { prefix, pattern, example } = type
  // GLOB and length() ignore everything after a NUL character, so the length is that in bytes. Only in a STRICT table
  // do all text columns contain text.
  return `create table if not exists ${tableOf(type)} (
  -- The standard form: ${example}
  id text not null primary key check (
    typeof(id) = 'text'
    and id glob '${patternToGlob(pattern)}'
    and length(cast(id as blob)) = ${example.length}
  ),
  -- The short form: ${type.toShort(type.example)}
  short_id text generated always as (
    '${prefix}_'
${convertToBase32(prefix.length + 2)}
  ) virtual
) without rowid;
`
}

/**
 * Returns an expression for the 26 base32 digits of the uuid that starts at a position of `id`. Each base32 digit has 5
 * bits of at most two hexadecimal digits; instr() returns the value of a hexadecimal digit.
 * All bit operators have the same precedence.
 */
function convertToBase32(start: number): string {
  const hexPositions = [...'00000000-0000-0000-0000-000000000000'].flatMap((char, i) =>
    char === '-' ? [] : [start + i],
  )
  const digitAt = (digit: number) => `instr('123456789abcdef', substr(id, ${hexPositions[digit]}, 1))`
  return Array.from({ length: 26 }, (_, i) => {
    const end = 5 * i + 3 // after the last bit of this digit; the 26 digits start with two zero bits before the uuid
    const last = (end - 1) >> 2
    const shift = 4 * (last + 1) - end
    const low = shift === 0 ? digitAt(last) : `${digitAt(last)} >> ${shift}`
    const bits = last === 0 ? low : `((${digitAt(last - 1)} << ${4 - shift}) | (${low})) & 31`
    return `    || substr('${BASE32_DIGITS}', (${bits}) + 1, 1)`
  }).join('\n')
}
