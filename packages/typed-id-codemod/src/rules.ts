import ts from 'typescript'
import type { Use } from './imports.ts'

/** How the codemod replaces the exports of a package. */
export interface Rule {
  /** The names of the package in imports. */
  readonly packages: readonly string[]
  /** The package from which the exports in `moves` are imported instead. */
  readonly target: string
  /** The name in the target for each export that the target has. `all` means every export, under the same name. */
  readonly moves: Readonly<Record<string, string>> | 'all'
  /** The comment for a use of an export, by name of the export. `$` stands for the id type, such as `UserId`. */
  readonly advice: Readonly<Record<string, string>>
  /** Returns a comment for a use that behaves differently in the target. */
  readonly warning?: (use: Use) => string | undefined
  /** The comment for a mock of the package. Without it, the mock receives the name of the target. */
  readonly mock?: string
}

/** The name of the library in the registry. */
const LIBRARY = 'typed-id'
const REPLACE_UUIDS = `use replaceUuids of ${LIBRARY}/testing instead of a mock`

export const RULES = {
  'typeid-js': {
    packages: ['typeid-js'],
    target: `${LIBRARY}/typeid`,
    moves: 'all',
    advice: {},
    warning: (use) =>
      readsEmptyPrefix(use)
        ? "'' expects a TypeID without a prefix; leave it out to accept any prefix"
        : undefined,
  },
  uuid: {
    packages: ['uuid'],
    target: LIBRARY,
    // Both packages return bare UUIDs of the same version, so nothing changes until an id type replaces a call.
    moves: { v4: 'uuidv4', v7: 'uuidv7' },
    advice: {
      v4: 'replace with $.generate()',
      v7: 'replace with $.generate()',
      v5: 'replace with await idFromName($, name, namespace)',
      validate: 'replace with $.is(id), which expects a whole id',
      parse: 'replace with $.toBytes(id)',
      stringify: 'replace with $.fromBytes(bytes)',
    },
    mock: REPLACE_UUIDS,
  },
  nanoid: {
    packages: ['nanoid', 'nanoid/non-secure'],
    target: LIBRARY,
    moves: {},
    advice: {
      nanoid: 'replace with $.generate()',
      customAlphabet: 'replace with $.generate()',
      customRandom: 'replace with $.generate()',
    },
    mock: REPLACE_UUIDS,
  },
} as const satisfies Record<string, Rule>

/** Returns whether a use is `fromString(text, '')` or `TypeID.fromString(text, '')`. */
function readsEmptyPrefix({ node, exported }: Use): boolean {
  const { parent } = node
  const isMethod =
    exported === 'TypeID' && ts.isPropertyAccessExpression(parent) && parent.name.text === 'fromString'
  const callee = isMethod ? parent : exported === 'fromString' ? node : undefined
  if (!callee || !ts.isCallExpression(callee.parent) || callee.parent.expression !== callee) return false
  const prefix = callee.parent.arguments[1]
  return prefix !== undefined && ts.isStringLiteralLike(prefix) && prefix.text === ''
}
