/** Search words for pages that do not contain the words, or rarely. */
export const KEYWORDS: Readonly<Record<string, string>> = {
  'guide/cli.md': 'cli terminal shell npx command line',
  'guide/faq.md': 'collision esm cjs commonjs',
  'guide/ids.md': 'wrong type error short id define parse',
  'guide/migrate.md':
    'migrate from uuid existing tables nanoid ulid typeid-js auto increment',
  'guide/opaque.md':
    'hide creation time privacy obfuscate encrypt guess security',
  'guide/order.md': 'sort order clock set back monotonic',
  'guide/start.md': 'install bun deno workers getting started',
  'guide/storage.md': 'mysql mariadb sqlite postgres drizzle uuid column text',
  'guide/testing.md': 'jest vitest faker mock deterministic',
  'guide/why.md': 'branded type error wrong type compiler nominal opaque type',
  'guide/zod-openapi.md':
    'zod 3 zod 4 swagger openapi validation error message',
  'guide/frameworks.md': 'nestjs pipe swagger hono express fastify',
  'operations/backup.md': 'backup restore',
  'operations/configuration.md': 'port environment variables settings',
  'operations/run.md': 'docker graceful shutdown',
  'recipes/drizzle.md': 'drizzle uuid column',
  'recipes/react.md': 'nextjs next.js params app router react',
  'service/index.md': 'swagger port api docs demo',
}

/*
 * Changes the source of VitePress' search, which is a button around a list of
 * options that contain links. Screen readers cannot present such a structure.
 * These changes make it a dialog with a list of links.
 */
const CHANGES: readonly (readonly [from: string, to: string])[] = [
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
  [`role="button"`, `role="dialog" aria-modal="true"`],
  [`:aria-owns="results?.length ? 'localsearch-list' : undefined"`, ''],
  [`aria-expanded="true"`, ''],
  [`aria-haspopup="listbox"`, ''],
  [`:id="'localsearch-item-' + index"`, ''],
  [`:aria-selected="selectedIndex === index ? 'true' : 'false'"`, ''],
  [`role="option"`, `role="presentation"`],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index"`,
  ],
]

/**
 * Replaces parts of VitePress' source. Throws if a version lacks one of these
 * parts.
 */
export const accessibleSearch = {
  name: 'accessible-search',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined
    return CHANGES.reduce((text, [from, to]) => {
      if (!text.includes(from))
        throw new Error(`VPLocalSearchBox.vue has no ${from}`)
      return text.replaceAll(from, () => to)
    }, code)
  },
}
