import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (!import.meta.env.SSR) resolveLinks()
  },
} satisfies Theme

/** The links of the built pages are relative. The navigation outlives its page, so its links must not depend on it. */
function resolveLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="."]')) {
    const { pathname, search, hash } = new URL(link.href)
    link.setAttribute('href', pathname + search + hash)
  }
}
