import manifest from 'api/package.json' with { type: 'json' }

export const VERSION: string = manifest.version

/** Whether the program is the built service, which runs without the repository and pnpm. */
export const IS_BUILT = !import.meta.url.endsWith('.ts')

/** Returns how an operator runs a command of this service, for messages. */
export const commandLine = (command: string) =>
  IS_BUILT ? `node main.js ${command}` : `pnpm --filter api ${command}`
