import { expect, test } from 'vitest'
import type { Event, Fields } from './history/history.ts'
import {
  absence,
  findViolation,
  type Step,
  stepsOfRecord,
  stepsOfUnique,
} from './history/linearizability.ts'
import { createRandom } from './kit/statistics.ts'

/** Reference implementation of `findViolation`: tries every order of steps. */
function isLinearizable(steps: readonly Step[], state = ''): boolean {
  return (
    steps.every(({ event }) => event.end === Infinity) ||
    steps.some((step) => {
      const others = steps.filter((other) => other !== step)
      const isNext = others.every(
        (other) => other !== step.after && other.event.end >= step.event.start,
      )
      const next = isNext ? step.apply(state) : undefined
      return next !== undefined && isLinearizable(others, next)
    })
  )
}

const VALUES: (Fields | null | undefined)[] = [
  { name: 'a', team: 'x' },
  { name: 'b', team: 'x' },
  { name: 'b', team: 'y' },
  null,
  undefined,
]

test('findViolation agrees with a search of every order', () => {
  const random = createRandom(1)
  const pick = <T>(values: readonly T[]) =>
    values[Math.floor(random() * values.length)] as T
  const event = (): Event => {
    const start = pick([0, 1, 2, 3])
    const end = pick([start, start + 1, start + 2, Infinity, Infinity])
    const action = pick(['create', 'change', 'delete', 'read'] as const)
    const shows = pick(VALUES)
    return {
      ...{ client: 0, instance: 0, list: 'users', request: action },
      ...{ action, start, end, id: pick(['user-1', 'user-2']) },
      sets: pick([{ name: 'a', team: 'x' }, { name: 'b' }, { team: 'y' }]),
      ...(shows !== undefined && { shows }),
      isDuplicate: action === 'create' && random() < 0.3,
    }
  }
  const counts = { true: 0, false: 0 }
  for (let n = 0; n < 8000; n += 1) {
    const events = Array.from({ length: 1 + (n % 5) }, event)
    const { true: creations = [], false: deletions = [] } = Object.groupBy(
      events,
      ({ action }) => `${action === 'create'}`,
    )
    const steps =
      n % 2
        ? stepsOfUnique(creations, deletions)
        : [...stepsOfRecord(events), absence(event(), pick([undefined, 'x']))]
    const expected = isLinearizable(steps)
    const found = findViolation(steps) === undefined
    expect(found, JSON.stringify(steps)).toBe(expected)
    counts[`${expected}`] += 1
  }
  expect(Math.min(counts.true, counts.false)).toBeGreaterThan(500)
})
