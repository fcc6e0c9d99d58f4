import { describeArguments, INTEGER_TYPES, type NamedColumn, type TARGETS } from '../arguments.ts'
import type { Step } from '../step.ts'
import type { Catalogue } from './catalogue.ts'
import { checkName, conversionOf } from './expressions.ts'
import type { Plan } from './plan.ts'
import { planOnline } from './plan-online.ts'
import { planTransaction } from './plan-transaction.ts'

type Type = (typeof TARGETS)[number]

/**
 * Returns the commands that restore the columns, one for each type that the named columns had. If there is one, also
 * returns its steps, which are planned for the catalogue as it will be after the migration.
 */
export function planWayBack({ args, catalogue, strategy }: Plan): { commands: string[]; steps: Step[] } {
  if (args.target !== 'id') return { commands: [], steps: [] }
  const groups = new Map<Type, NamedColumn[]>()
  for (const named of args.types) {
    const type = formerType(catalogue, named.prefix)
    groups.set(type, [...(groups.get(type) ?? []), named])
  }
  const commands = [...groups].map(([target, types]) => {
    return `typed-id migrate plan --database … ${describeArguments({ types, target })}`
  })
  const [down] = groups.keys()
  if (groups.size > 1 || down === undefined) return { commands, steps: [] }
  const plan = strategy === 'online' ? planOnline : planTransaction
  return { commands, steps: plan(catalogueAfter(catalogue), down) }
}

/** The type of all columns with ids of a type, before the migration: of several integer types the largest one. */
function formerType({ tables }: Catalogue, prefix: string): Type {
  const types = tables
    .flatMap(({ columns }) => columns.filter((column) => column.prefix === prefix))
    .map(({ type }) => type)
  const integer = INTEGER_TYPES.findLast((type) => types.includes(type))
  return integer ?? (types.includes('uuid') ? 'uuid' : 'text')
}

function catalogueAfter(catalogue: Catalogue): Catalogue {
  const tables = catalogue.tables.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      const { default: expression } = conversionOf(column, 'id')
      return {
        ...column,
        type: 'text',
        identity: null,
        default: expression?.replace(/^\('(\w+-)' \|\|/, `('$1'::text ||`) ?? null,
      }
    }),
    checks: [
      ...table.checks,
      ...table.columns
        .filter(({ isNamed }) => isNamed)
        .map(({ name }) => ({
          name: checkName(table.name, name),
          columns: [name],
          definition: '',
          expression: '',
          isValid: true,
        })),
    ],
  }))
  return { ...catalogue, tables }
}
