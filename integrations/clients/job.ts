import type { DocumentName } from './documents.ts'

export interface Job {
  /** The name of a document, and the path of its file. */
  readonly name: DocumentName
  readonly file: string
  /** The folder to write into. */
  readonly output: string
  /** Without the plugin, the generator runs as it comes from npm. */
  readonly plugin: boolean
}

/** A module `<folder>/generate.ts`. */
export interface GenerateModule {
  /** What the plugin uses to change the types: a word or two for the table. */
  readonly hook: string
  generate(job: Job): Promise<unknown>
}
