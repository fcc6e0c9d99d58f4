/** What a migration needs besides its arguments. */
export interface Context {
  readonly version: string
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Writes lines to standard output. */
  print(text: string): Promise<void>
}
