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
