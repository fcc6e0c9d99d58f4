import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { REPOSITORY as FOLDER } from 'testkit/repository.ts'

/*
 * Where the packages come from. The workspace's package.json has `repository` (the URL of the repository on GitHub),
 * `author` and, if the package has a site, `homepage`; the release copies them into each published package.json. While
 * one of them is missing nothing can be published, so no placeholder ever is.
 */
export interface Origin {
  readonly repository?: string
  readonly author?: string
  readonly homepage?: string
}

export const ROOT: Origin = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8'))

const REPOSITORY = /^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/

/**
 * Returns the fields of the published package.json. `directory` is the folder of the package, such as `packages/typed-id`.
 * Throws an error of one line if something is missing.
 */
export function identityOf({ repository = '', author, homepage }: Origin, directory: string) {
  if (!REPOSITORY.test(repository))
    throw new Error('the root package.json needs "repository": "https://github.com/<owner>/<repository>"')
  if (!author) throw new Error('the root package.json needs "author"')
  return {
    author,
    homepage: homepage ?? `${repository}#readme`,
    bugs: `${repository}/issues`,
    repository: { type: 'git', url: `git+${repository}.git`, directory },
  }
}

/** Throws an error of one line if the changelog has no section for the version, or lines that no version contains yet. */
export function checkChangelog(text: string, version: string): void {
  const sections = new Map(
    text.split(/^## /m).map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return [title, lines.join('\n').trim()]
    }),
  )
  if (!sections.get(version)) throw new Error(`CHANGELOG.md has no section "## ${version}"`)
  const unreleased = sections.get('Unreleased')
  if (unreleased)
    throw new Error(
      `CHANGELOG.md has ${unreleased.split(/^- /m).length - 1} unreleased lines: move them below "## ${version}"`,
    )
}

/**
 * Throws an error of one line for a version that npm rejects or rewrites in the job that publishes, or for a pre-release,
 * which would need another tag than `latest`.
 */
export function checkVersion(version: string): void {
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    throw new Error(`the version must be three numbers, such as 1.2.3, received "${version}"`)
}

/** Throws an error of one line if the repository has the tag, at another commit than HEAD. */
export function checkTag(tag: string, folder: string): void {
  const list = (...args: string[]) =>
    execFileSync('git', ['tag', '--list', tag, ...args], { cwd: folder, encoding: 'utf8' })
  if (list() !== list('--points-at', 'HEAD')) throw new Error('Raise the version in package.json')
}
