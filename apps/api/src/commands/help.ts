import { defaultOf, defaultUrl, isSecret, VARIABLES } from '../config.ts'
import type { ProfileName } from '../profiles.ts'
import { commandLine, VERSION } from './program.ts'

/** Every command. `run.ts` runs them. */
export const COMMANDS = {
  start: 'Serve requests; the default. --demo fills an empty database first',
  check: 'Check the environment variables and print them without secrets',
  migrate: 'Apply pending migrations and end',
}

/** Returns the text of `--help`. */
export function helpText(): string {
  const lines = Object.entries(COMMANDS).map(([name, description]) => `  ${name.padEnd(8)} ${description}`)
  return `typed-id-api ${VERSION}

Usage: ${commandLine('COMMAND')}

${lines.join('\n')}

  --help     Print this text
  --version  Print the version

Environment variables configure the service, such as PORT and DATABASE_URL.
All of them, and their defaults: docs/operations/configuration.md
`
}

/** Returns one line for each variable with the value that a start would use. Secrets are not shown. */
export function describeSettings(
  env: Readonly<Record<string, string | undefined>>,
  profile: ProfileName,
): string {
  const lines = Object.entries(VARIABLES).map(([name, schema]) => {
    if (env[name]) return `${name}=${isSecret(name) ? '(set, not shown)' : env[name]}`
    if (env[`${name}_FILE`]) return `${name}=(in ${name}_FILE)`
    return `${name}=${(name === 'DATABASE_URL' ? defaultUrl(profile) : defaultOf(schema)) ?? ''} (default)`
  })
  return `${lines.join('\n')}\n`
}
