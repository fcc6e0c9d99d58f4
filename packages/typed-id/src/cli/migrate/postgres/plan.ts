import type { Arguments, Strategy } from '../arguments.ts'
import type { Step } from '../step.ts'
import type { Catalogue } from './catalogue.ts'
import type { Figures } from './check.ts'
import type { State } from './state.ts'

/** What a run does, and what it found in the database. */
export interface Plan {
  readonly args: Arguments
  readonly catalogue: Catalogue
  readonly strategy: Strategy
  readonly steps: readonly Step[]
  /** The figures of each table, by its name. */
  readonly figures: ReadonlyMap<string, Figures>
  /** The run to continue. */
  readonly state: State | undefined
}
