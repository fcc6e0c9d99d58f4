import { type AnyIdType, hasTwoForms } from '../core/any-id.ts'
import { WRITERS } from './form.ts'
import { writeJson } from './inspect.ts'
import { put, type Terminal } from './terminal.ts'

const BATCH = 10_000

/**
 * Writes `count` new ids in batches, so memory use does not grow with `count`.
 */
export async function generate(
  { stdout }: Terminal,
  type: AnyIdType,
  count: number,
  form: 'standard' | 'short' | 'json',
): Promise<number> {
  const write = form === 'json' ? writeJson : WRITERS[form]
  const end = form === 'json' ? '' : '\n'
  const own = hasTwoForms(type) ? 'standard' : 'short'
  for (let left = count; left > 0; left -= BATCH) {
    const ids = type.generateMany(Math.min(left, BATCH))
    await put(
      stdout,
      ids.map((id) => write({ type, id, form: own }) + end).join(''),
    )
  }
  return 0
}
