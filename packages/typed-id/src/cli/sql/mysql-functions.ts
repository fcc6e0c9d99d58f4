import { BASE32_DIGITS } from '../../core/digits.ts'
import {
  FIRST_OF_MILLISECOND,
  LAST_OF_MILLISECOND,
  PREFIX_PATTERN,
  SUFFIX_PATTERN,
  UUID_PATTERN,
} from '../../core/grammar.ts'

const TEXT = 'text character set utf8mb4 collate utf8mb4_bin'
const ID = 'varchar(100) character set ascii collate ascii_bin'
const HEX = 'char(32) character set ascii'

/** Converts to ASCII first, because a Turkish collation has another lower case of I, and a binary string has none. */
const toLower = (text: string) => `lower(convert(${text} using ascii))`

/**
 * Returns a check of a value. It appends an `x`, because `$` also matches before a final line break. It resets the flag
 * `m` because default_regex_flags of MariaDB can be MULTILINE. Messages have at most 128 characters.
 */
const check = (
  value: string,
  pattern: string,
  expected: string,
) => `if concat(${value}, 'x') not regexp '(?-m)^${pattern}x$' then
    set message = concat('${expected}, received "', left(${value}, 40), '"');
    signal sqlstate '22018' set message_text = message;
  end if;`

const CHECK_PREFIX = check(
  'prefix',
  PREFIX_PATTERN,
  'invalid prefix: expected 1 to 63 ASCII letters and digits',
)
const CHECK_ID = check(
  'id',
  `${PREFIX_PATTERN}-${UUID_PATTERN}`,
  'malformed standard: expected <prefix>-<lowercase uuid>',
)
const CHECK_SHORT = check(
  'short',
  `${PREFIX_PATTERN}_${SUFFIX_PATTERN}`,
  'malformed short: expected <prefix>_<26 base32 digits>',
)
const CHECK_UUID = check('uuid', UUID_PATTERN, 'invalid uuid: expected <lowercase uuid>')

/** Returns the statements that create the functions, each followed by the delimiter. */
export function printFunctions(): string {
  const define = (
    signature: string,
    returns: string,
    variables: string,
    checks: string,
    body: string,
    kind = 'deterministic',
  ) => `create function ${signature} returns ${returns} ${kind} no sql
begin
  declare message varchar(128) character set utf8mb4;
${variables}  ${checks}
  ${body}
end //

`
  const bound = (name: string, rest: string) =>
    define(
      `typed_id_${name}(prefix ${TEXT}, time datetime(6))`,
      ID,
      `  declare hex ${HEX};\n`,
      `${CHECK_PREFIX}
  if time < '1970-01-01' then
    set message = concat('invalid time: expected 1970-01-01 to 9999-12-31, received "', time, '"');
    signal sqlstate '22008' set message_text = message;
  end if;`,
      `set hex = concat(lpad(${toLower("hex(timestampdiff(microsecond, '1970-01-01', time) div 1000)")}, 12, '0'), '${rest.replaceAll('-', '')}');
  return if(time is null, null, concat(prefix, '-', ${groupHex('hex')}));`,
    )
  return [
    define(
      `typed_id_generate(prefix ${TEXT})`,
      ID,
      `  declare us bigint default timestampdiff(microsecond, '1970-01-01', utc_timestamp(6));\n  declare hex ${HEX};\n`,
      CHECK_PREFIX,
      `set hex = concat(
    lpad(${toLower('hex(us div 1000)')}, 12, '0'), '7', lpad(${toLower('hex(us % 1000 * 4096 div 1000)')}, 3, '0'),
    substr('89ab', (ord(random_bytes(1)) & 3) + 1, 1), right(${toLower('hex(random_bytes(8))')}, 15)
  );
  return concat(prefix, '-', ${groupHex('hex')});`,
      'not deterministic',
    ),
    define(
      `typed_id_to_short(id ${TEXT})`,
      ID,
      `  declare hex ${HEX};\n`,
      CHECK_ID,
      `set hex = replace(right(id, 36), '-', '');
  return concat(left(id, char_length(id) - 37), '_', ${toBase32('hex')});`,
    ),
    define(
      `typed_id_from_short(short ${TEXT})`,
      ID,
      `  declare suffix char(26) character set utf8mb4 collate utf8mb4_bin;\n  declare hex ${HEX};\n`,
      CHECK_SHORT,
      `set suffix = ${replaceAll('right(short, 26)', DIGITS)};
  set hex = ${fromBase32('suffix')};
  return concat(left(short, char_length(short) - 27), '-', ${groupHex('hex')});`,
    ),
    define(`typed_id_to_uuid(id ${TEXT})`, 'char(36)', '', CHECK_ID, 'return right(id, 36);'),
    define(
      `typed_id_from_uuid(prefix ${TEXT}, uuid ${TEXT})`,
      ID,
      '',
      `${CHECK_PREFIX}\n  ${CHECK_UUID}`,
      "return concat(prefix, '-', uuid);",
    ),
    define(
      `typed_id_time(id ${TEXT})`,
      'datetime(3)',
      '  declare ms bigint;\n',
      CHECK_ID,
      `if right(id, 36) not regexp '^.{14}7.{4}[89ab]' then
    return null;
  end if;
  set ms = conv(concat(substr(right(id, 36), 1, 8), substr(right(id, 36), 10, 4)), 16, 10);
  if ms > 253402300799999 then
    set message = concat('invalid time: expected 1970-01-01 to 9999-12-31, received "', left(id, 40), '"');
    signal sqlstate '22008' set message_text = message;
  end if;
  return date_add('1970-01-01', interval ms * 1000 microsecond);`,
    ),
    bound('first_at', FIRST_OF_MILLISECOND),
    bound('last_at', LAST_OF_MILLISECOND),
  ].join('')
}

/** Pairs of a digit of the short form and the digit with the same value in base 32 of CONV, which is 0 to 9 and A to V. */
export const DIGITS = [...BASE32_DIGITS]
  .map((digit, value) => [digit, value.toString(32)])
  .filter(([a, b]) => a !== b)

/** Converts 32 hexadecimal digits to 26 base32 digits, in parts of at most 64 bits, the limit of CONV. */
export function toBase32(hex: string): string {
  const parts = [1, 3, 13, 23].map((start) => {
    const [from, to] = start === 1 ? [2, 2] : [10, 8]
    return `lpad(conv(substr(${hex}, ${start}, ${from}), 16, 32), ${to}, '0')`
  })
  // Replaces from the highest digit to the lowest, so that no replacement changes the result of an earlier one.
  return replaceAll(
    toLower(`concat(${parts.join(', ')})`),
    DIGITS.map(([digit, conv]) => [conv, digit]).reverse(),
  )
}

/** Converts 26 base32 digits to 32 hexadecimal digits. */
export function fromBase32(suffix: string): string {
  const parts = [1, 3, 11, 19].map((start) => {
    const [from, to] = start === 1 ? [2, 2] : [8, 10]
    return `lpad(conv(substr(${suffix}, ${start}, ${from}), 32, 16), ${to}, '0')`
  })
  return toLower(`concat(${parts.join(', ')})`)
}

export const replaceAll = (text: string, pairs: readonly (readonly (string | undefined)[])[]) =>
  pairs.reduce((inner, [from, to]) => `replace(${inner}, '${from}', '${to}')`, text)

/** Inserts the hyphens of a uuid into 32 hexadecimal digits. */
export const groupHex = (hex: string) =>
  `concat_ws('-', left(${hex}, 8), substr(${hex}, 9, 4), substr(${hex}, 13, 4), substr(${hex}, 17, 4), right(${hex}, 12))`
