/** Thrown for an invalid command line: exit code 2. Invalid ids are reported with exit code 1. */
export class UsageError extends Error {}
