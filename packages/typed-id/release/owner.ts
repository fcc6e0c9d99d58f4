/*
 * Asks the registry who owns a name. A package is ours if its latest version names our repository: trusted publishing
 * has no npm user that could be compared, and provenance proves the repository of a version, not a person.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Returns `free` or `ours`. Throws an error of one line if the name is another's, or the registry does not respond. */
export async function checkName(name: string, repository: string): Promise<'free' | 'ours'> {
  const found = await publishedRepository(name)
  if (found === undefined) return 'free'
  if (normalize(found) === normalize(repository)) return 'ours'
  throw new Error(
    `"${name}" belongs to ${found || 'a package without a repository'}, not to ${repository}: set publishConfig.name to a name with your scope`,
  )
}

/**
 * Returns true if the registry has this version with the same integrity (`sha512-…`), and false if it has no such version.
 * Throws an error of one line if it has another content, or the registry does not respond.
 */
export async function isPublished(name: string, version: string, integrity: string): Promise<boolean> {
  const found = await publishedField(name, version, 'dist.integrity')
  if (found && found !== integrity)
    throw new Error(`${name}@${version} is published with another content: ${found}, not ${integrity}`)
  return Boolean(found)
}

/** Returns the repository of the latest version, `''` if that names none, or undefined if there is no such package. */
const publishedRepository = (name: string) => publishedField(name, 'latest', 'repository.url')

/** Returns a field of a version, `''` if the version lacks it, or undefined if there is no such package or version. */
async function publishedField(name: string, version: string, field: string): Promise<string | undefined> {
  // npm reads the registry, proxies and credentials from the configuration of the machine.
  const view = ['view', `${name}@${version}`, field, '--json', '--fetch-retries=0']
  try {
    const { stdout } = await run('npm', view, { shell: process.platform === 'win32' })
    return stdout.trim() ? JSON.parse(stdout) : ''
  } catch (failure) {
    const { code, summary } = errorOf((failure as { stdout: string }).stdout)
    if (code === 'E404') return undefined
    throw new Error(`the registry does not describe "${name}": ${code} ${summary.split('\n')[0]}`)
  }
}

function errorOf(stdout = ''): { code: string; summary: string } {
  try {
    return { code: 'unknown', summary: '', ...JSON.parse(stdout).error }
  } catch {
    return { code: 'unknown', summary: stdout }
  }
}

/** `git+https://GitHub.com/Owner/name.git` and `https://github.com/owner/name` are one repository. */
function normalize(repository: string): string {
  return repository
    .replace(/^git\+/, '')
    .replace(/^(git|ssh):\/\/(git@)?/, 'https://')
    .replace(/\.git$/, '')
    .toLowerCase()
}
