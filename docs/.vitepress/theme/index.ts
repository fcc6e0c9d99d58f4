import { type Theme, useRoute, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { defineComponent, h, nextTick, onMounted, watch } from 'vue'
import './style.css'

const STARTS = {
  'Start in 60 seconds': '/guide/start',
  'Recipes, also for your ORM and framework': '/recipes',
  'The command line': '/guide/cli',
  'Reference of all exports': '/reference/',
  'The service': '/service/',
}

const notFound = () =>
  h('main', { class: 'vp-doc not-found' }, [
    h('h1', 'Page not found'),
    h('p', 'Search, or start here:'),
    h(
      'ul',
      Object.entries(STARTS).map(([text, path]) =>
        h('li', h('a', { href: withBase(path) }, text)),
      ),
    ),
  ])

/**
 * Scrolls the sidebar, which is longer than the screen, to the entry of the
 * current page. After `scrollIntoView`, the Tab key would move the focus to the
 * next entry instead of to the first link of the page.
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
