export const EXTRA_KEYWORDS: Readonly<Record<string, string>> = {
  'guide/cli.md': 'terminal shell',
  'guide/opaque.md': 'obfuscate',
  'guide/order.md': 'monotonic',
  'guide/start.md': 'getting started',
  'guide/why.md': 'nominal',
  'recipes/react.md': 'nextjs next.js params app router react',
}

/*
 * VitePress gives the search the role `button`, and the parent of each link the
 * role `option`. Screen readers do not present elements inside these roles, so
 * these replacements make the search a dialog, and each link an option.
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
