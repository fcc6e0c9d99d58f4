import { type ParseArgsConfig, parseArgs } from 'node:util'

const STRING = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const
const READ_OPTIONS = { type: STRING, from: STRING, file: STRING }

/** The options of each command. HELP explains them. */
export const OPTIONS = {
  new: { count: { ...STRING, short: 'n' }, short: FLAG, v4: FLAG, json: FLAG },
  inspect: { ...READ_OPTIONS, json: FLAG },
  convert: { ...READ_OPTIONS, to: STRING },
  check: READ_OPTIONS,
  scan: { type: STRING, json: FLAG },
  sql: { types: STRING, typeid: FLAG, drop: FLAG },
} as const

export const parse = <const O extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: O,
) => parseArgs({ args, options, allowPositionals: true })
