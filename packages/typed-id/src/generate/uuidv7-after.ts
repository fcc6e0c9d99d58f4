import { readUuid, writeTime } from '../core/conversions.ts'
import { TypedIdError } from '../core/error.ts'
import { codeOfString } from '../core/invalid.ts'
import type { UuidSource } from '../core/uuid-source.ts'
import { checkTime, createUuidv7, type Uuidv7Options } from '../core/uuidv7.ts'

/**
 * Returns a source like `createUuidv7` whose UUIDs are greater than `after`,
 * whatever the clock returns. If `after` is the greatest stored UUID, ids keep
 * their order across a restart.
 *
 * @throws TypedIdError `invalid_uuid` or `not_a_string` when `after` is not a
 * version 7 UUID. The source throws `invalid_time` after the last millisecond
 * of 48 bits.
 * @example
 * const source = createUuidv7After(OrderId.toUuid(latest))
 * defineId('order', { uuid: source }).generate() > latest // true
 */
export function createUuidv7After(
  after: string,
  options: Uuidv7Options = {},
): UuidSource {
  const time = readUuid(after, '') ? writeTime() : undefined
  if (!time)
    throw new TypedIdError(
      codeOfString('invalid_uuid', after),
      'a UUID of version 7',
      after,
    )
  const earliest = time.getTime() + 1
  const { now = () => Date.now() } = options
  return createUuidv7({
    ...options,
    now: () => Math.max(checkTime(now()), earliest),
  })
}
