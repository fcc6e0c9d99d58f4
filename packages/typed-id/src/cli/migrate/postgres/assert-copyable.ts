import { MigrationError } from '../error.ts'
import type { Index, Table } from './catalogue.ts'

/** Throws for an index or a column that the strategy online cannot copy. */
export function assertCopyable({ name: table, columns, indexes }: Table): void {
  for (const { name, hasGrants } of columns) if (hasGrants) reject(`${table}.${name} has column privileges`)
  for (const index of indexes) {
    const reason = findReason(
      index,
      columns.map(({ name }) => name),
    )
    if (reason) reject(`the index ${index.name} of ${table} ${reason}`)
  }
}

function findReason({ method, constraint, isReplicaIdentity, expressions }: Index, columns: string[]) {
  if (constraint === 'x') return 'is an exclusion constraint'
  if (method !== 'btree' && method !== 'hash') return `is a ${method} index`
  if (isReplicaIdentity) return 'is the replica identity'
  // Names in expressions are not replaced: a word in a string literal looks the same.
  const words: string[] = expressions.match(/"([^"]|"")+"|\w+/g) ?? []
  const found = columns.find((name) => words.includes(name))
  return found && `has ${found} in an expression or a predicate`
}

function reject(reason: string): never {
  throw new MigrationError(`${reason}: the strategy online cannot copy it, use --strategy transaction`)
}
