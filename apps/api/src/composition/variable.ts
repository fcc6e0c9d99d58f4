import { readFileSync } from 'node:fs'
import { OperatorError } from '../errors.ts'

/** One environment variable. The tables in the documentation are generated from these objects. */
export interface Variable<T> {
  /** The value of an unset or empty variable, undefined when there is none. */
  readonly default: string | undefined
  readonly description: string
  /** A description of valid values, which follows "expected" in error messages. */
  readonly expected: string
  /** Whether messages must not quote the value, because it may contain a password. */
  readonly isSecret?: boolean
  /** Parses the value of the variable. Returns undefined when it is invalid. */
  parse(text: string): T | undefined
}

/**
 * Parses the value of a variable.
 *
 * @throws OperatorError with the name of the variable, the expected value and, if it cannot be secret, the received
 * one.
 */
export function parseVariable<T>(name: string, variable: Variable<T>, text: string): T {
  const value = variable.parse(text)
  if (value !== undefined) return value
  const received = variable.isSecret ? '' : `, received ${quote(text)}`
  throw new OperatorError(`${name}: expected ${variable.expected}${received}`)
}

const quote = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

interface Range {
  readonly min: number
  readonly max: number
  readonly default?: string
}

export function wholeNumber(range: Range, description: string): Variable<number> {
  const { min, max } = range
  return {
    default: range.default,
    description,
    expected: `a whole number from ${min} to ${max}`,
    parse(text) {
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** A variable for a duration of at most an hour. */
export const milliseconds = (defaultValue: string, description: string, min = 1): Variable<number> =>
  wholeNumber({ min, max: 3_600_000, default: defaultValue }, description)

export function oneOf<const T extends string>(
  choices: readonly T[],
  defaultValue: T | undefined,
  description: string,
): Variable<T> {
  return {
    default: defaultValue,
    description,
    expected: `one of ${choices.join(', ')}`,
    parse: (text) => choices.find((choice) => choice === text),
  }
}

export function text(defaultValue: string | undefined, description: string): Variable<string> {
  return { default: defaultValue, description, expected: 'a text', parse: (value) => value }
}

/** A variable that contains the path of a file with the value. Container platforms mount secrets as such files. */
export function secretFile(description: string): Variable<string> {
  return {
    default: undefined,
    description,
    expected: 'the path of a file that can be read and is not empty',
    // The operator may have set the secret itself instead of the path.
    isSecret: true,
    parse(file) {
      try {
        return readFileSync(file, 'utf8').trim() || undefined
      } catch {
        return undefined
      }
    },
  }
}

export function httpUrl(description: string): Variable<string> {
  return {
    default: undefined,
    description,
    expected: 'http://host:port or https://host:port',
    isSecret: true,
    parse: (url) => (/^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined),
  }
}

export function origins(description: string): Variable<string[]> {
  return {
    default: undefined,
    description,
    expected: '* or origins such as https://app.example.com, separated by commas',
    parse(list) {
      const values = list.split(',').map((origin) => origin.trim())
      return values.every(isOrigin) ? values : undefined
    },
  }
}

/** An origin with a wildcard would match no page, because origins are compared as a whole. */
const isOrigin = (text: string) =>
  text === '*' || (!text.includes('*') && URL.canParse(text) && new URL(text).origin === text)
