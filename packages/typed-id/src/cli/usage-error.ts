/** An invalid command line, which ends the command with exit code 2. For an invalid id, the exit code is 1. */
export class UsageError extends Error {}
