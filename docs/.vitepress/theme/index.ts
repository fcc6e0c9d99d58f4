import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { preludeOf } from './prelude.ts'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (import.meta.env.SSR) return
    resolveLinks()
    addEventListener('click', insertPrelude, true)
  },
} satisfies Theme

/** The links of the built pages are relative. The navigation outlives its page, so its links must not depend on it. */
function resolveLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="."]')) {
    const { pathname, search, hash } = new URL(link.href)
    link.setAttribute('href', pathname + search + hash)
  }
}

/** Before VitePress copies an example, inserts what it needs, hidden: the page shows the example, a reader gets a program. */
function insertPrelude({ target }: Event): void {
  if (!(target instanceof Element) || !target.matches('div.language-ts > button.copy')) return
  const code = target.parentElement?.querySelector('pre code')
  if (!code || code.querySelector('.prelude')) return
  const prelude = document.createElement('span')
  prelude.className = 'prelude'
  prelude.hidden = true
  prelude.textContent = preludeOf(code.textContent ?? '', __PACKAGE__)
  code.prepend(prelude)
}

declare const __PACKAGE__: string
