import { execFileSync } from 'node:child_process'
import { join, matchesGlob } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test } from 'vitest'

const cwd = fileURLToPath(REPOSITORY)

interface Project {
  name: string
  root: string
  include?: string[]
  exclude?: string[]
}

test('a mode of vitest.workspace.ts runs each test file', async () => {
  const { default: config } = await import(`${cwd}vitest.workspace.ts`)
  const modes = ['test', 'surroundings', 'browser', 'lab']
  const projects: Project[] = modes.flatMap((mode) =>
    config({ mode }).test.projects.map(({ test }: { test: Project }) => test),
  )
  expect(projects.map(({ name }) => name)).toContain('http on postgres')
  const files = execFileSync('git', ['ls-files', '*.test.ts'], { cwd })
  const left = `${files}`.match(/^(?!integrations).+$/gm)?.filter(
    (file) =>
      !projects.some(({ root, include = ['**'], exclude = [] }) => {
        const matches = (glob: string) => matchesGlob(file, join(root, glob))
        return include.some(matches) && !exclude.some(matches)
      }),
  )
  expect(left).toEqual([])
})
