import { type Finding, PLAIN_UUID } from './find-all.ts'
import type { Occurrences } from './tally.ts'
import { findTime, findUuid } from './value.ts'

/** Returns the standard form. A TypeID whose prefix has `_` has none, and remains unchanged. */
export function toStandard({ type, id }: Finding): string {
  if (type.includes('_')) return id
  return type === PLAIN_UUID ? findUuid(id) : `${type}-${findUuid(id)}`
}

export function writeCsv(finding: Finding, { count, first, last }: Occurrences): string {
  const time = findTime(findUuid(finding.id))
  const created = time === undefined ? '' : new Date(time).toISOString()
  const type = finding.type === PLAIN_UUID ? '' : finding.type
  return `${[type, toStandard(finding), created, count, first, last].join()}\n`
}
