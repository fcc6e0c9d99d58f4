import type ts from 'typescript'

/** Replaces the characters from `start` to `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Returns the content of the file after the edits. Makes equal insertions at one place only once. */
export function applyEdits(file: ts.SourceFile, edits: readonly Edit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const done = new Set<string>()
  let text = ''
  let position = 0
  for (const edit of sorted) {
    const key = JSON.stringify(edit)
    if (done.has(key)) continue
    done.add(key)
    text += file.text.slice(position, edit.start) + edit.text
    position = edit.end
  }
  return text + file.text.slice(position)
}
