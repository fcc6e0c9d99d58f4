/** An error that the command reports as one line, with exit code 1. */
export class MigrationError extends Error {}
