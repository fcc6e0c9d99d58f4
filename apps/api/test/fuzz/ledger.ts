import type { Operation } from '../support/document.ts'
import type { Answer } from './answers.ts'
import { utf8 } from './judge.ts'

type Fields = Record<string, unknown>

/** The fields of each record that a client writes and reads back as it has sent them. */
const TEXTS: Record<string, readonly string[]> = {
  team: ['name'],
  role: ['name', 'description'],
  user: ['name', 'email'],
}

/** What was accepted, by id, and must be there in the end. */
export interface Ledger {
  readonly records: ReadonlyMap<string, Fields>
  /** Keeps what a successful answer to a body has stored, and throws where the answer tells something else. */
  enter(operation: Operation, body: string, answer: Answer): void
  /** Forgets a record, by the path that has deleted it. */
  strike(id: string): void
}

export function createLedger(): Ledger {
  const records = new Map<string, Fields>()
  return {
    records,
    enter({ operationId }, body, answer) {
      if (operationId === 'createOrder') return
      const sent = JSON.parse(body) as Fields
      const told = JSON.parse(utf8(answer.body)) as Fields
      const id = String(told.id)
      const before = records.get(id) ?? {}
      // PATCH leaves as it is what is absent, null or empty.
      const wanted =
        operationId === 'updateUser' ? { ...before, ...(sent.name ? { name: sent.name } : {}) } : sent
      const fields: Fields = {}
      for (const name of TEXTS[id.slice(0, 4)] ?? [])
        fields[name] = wanted[name] ?? (name === 'description' ? null : undefined)
      expectSame(id, fields, told)
      records.set(id, fields)
    },
    strike(id) {
      records.delete(id)
    },
  }
}

/** Reads every record back, through `get`, and returns how many there are. */
export async function audit({ records }: Ledger, get: (path: string) => Promise<unknown>): Promise<number> {
  const roles = [...records.keys()].some((id) => id.startsWith('role-'))
    ? ((await get('/roles')) as Fields[])
    : []
  const roleById = new Map(roles.map((role) => [role.id, role]))
  for (const [id, fields] of records) {
    const found = id.startsWith('role-') ? roleById.get(id) : await get(`/${id.slice(0, 4)}s/${id}`)
    expectSame(id, fields, (found ?? {}) as Fields)
  }
  return records.size
}

function expectSame(id: string, wanted: Fields, found: Fields): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (value !== undefined && found[name] !== value) {
      throw new Error(`${id} is ${JSON.stringify(found)}, and ${name} was sent as ${JSON.stringify(value)}`)
    }
  }
}
