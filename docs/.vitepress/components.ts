/*
 * Changes the sources of two components of VitePress.
 *
 * - VitePress' search is a button around a list of options, which contain links. Screen readers cannot present that.
 *   Here it becomes a dialog with a list of links that are options.
 * - The sidebar has two components for each of its 90 links, which took a quarter of the processor time of JavaScript
 *   when a page is loaded. Here a group renders its links itself. Groups are not nested.
 */
type Changes = readonly (readonly [string, string])[]

const COMPONENTS: Readonly<Record<string, Changes>> = {
  VPLocalSearchBox: [
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
  ],
  VPSidebarItem: [
    [
      `import VPLink from './VPLink.vue'`,
      `import VPLink from './VPLink.vue'
       import { useData, withBase } from 'vitepress'
       const { page } = useData()
       const active = computed(() => '/' + page.value.relativePath.replace(/(?:(^|\\/)index)?\\.md$/, '$1'))`,
    ],
    [
      `<VPSidebarItem
          v-for="i in item.items"
          :key="i.text"
          :item="i"
          :depth="depth + 1"
        />`,
      `<div
          v-for="i in item.items"
          :key="i.text"
          class="VPSidebarItem level-1 is-link"
          :class="{ 'is-active': i.link === active }"
        >
          <div class="item">
            <div class="indicator" />
            <a class="VPLink link" :href="withBase(i.link.replace(/[^/]$/, '$&.html'))"><p class="text" v-html="i.text" /></a>
          </div>
        </div>`,
    ],
  ],
}

/** Replaces parts of the sources. Throws if another version of VitePress has other sources. */
export const changedComponents = {
  name: 'changed-components',
  enforce: 'pre' as const,
  transform(code: string, id: string): string | undefined {
    const [, component = ''] = /\/(\w+)\.vue$/.exec(id) ?? []
    return COMPONENTS[component]?.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${component}.vue has no ${from}`)
      return text.replaceAll(from, () => to)
    }, code)
  },
}
