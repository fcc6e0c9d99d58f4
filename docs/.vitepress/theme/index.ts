import { type Theme, useRoute, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, nextTick, onMounted, watch } from 'vue'
import './style.css'

const notFound = () =>
  h('main', { class: 'vp-doc home' }, [
    h('h1', 'Page not found'),
    h('p', [
      'Search, or see the ',
      h('a', { href: withBase('/') }, 'home page'),
    ]),
  ])

/**
 * Uses `scrollBy`, because after `scrollIntoView` the Tab key would move the
 * focus to the sidebar's next link instead of to the first link of the page.
 */
async function showActiveEntry() {
  await nextTick()
  const sidebar = document.querySelector('.VPSidebar')
  const entry = sidebar?.querySelector('.is-active .link')
  if (!sidebar || !entry) return
  const bottomOf = (element: Element) => element.getBoundingClientRect().bottom
  sidebar.scrollBy(0, Math.max(0, bottomOf(entry) - bottomOf(sidebar)))
}

const Layout = defineComponent(() => {
  const route = useRoute()
  onMounted(showActiveEntry)
  watch(() => route.path, showActiveEntry)
  return () => h(DefaultTheme.Layout, null, { 'not-found': notFound })
})

export default { extends: DefaultTheme, Layout } satisfies Theme
