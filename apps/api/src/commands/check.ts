import type { Variable } from '../composition/variable.ts'
import { VARIABLES } from '../composition/variables.ts'

/**
 * Returns one line for each variable with the value that a start would use. Values that can contain a secret are not
 * shown. The configuration is valid: `main.ts` has read it.
 */
export function describeSettings(env: Readonly<Record<string, string | undefined>>): string {
  const lines = Object.entries<Variable<unknown>>(VARIABLES).map(([name, variable]) => {
    const value = env[name] || undefined
    if (value === undefined) return `${name}=${variable.default ?? ''} (default)`
    return `${name}=${variable.isSecret ? '(set, not shown)' : value}`
  })
  return `${lines.join('\n')}\n`
}
