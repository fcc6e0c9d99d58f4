import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

const IMPORT = `import { defineId, type IdOf } from 'typed-id'\n`

/** The declarations that the examples of the guide use. */
const TYPES = `
const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>
`

export default {
  extends: DefaultTheme,
  enhanceApp() {
    if (import.meta.env.SSR) return
    resolveLinks()
    addEventListener('click', insertPrelude, true)
  },
} satisfies Theme

/** Makes links absolute. Built pages have relative links, but the navigation remains when the page changes. */
function resolveLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="."]')) {
    const { pathname, search, hash } = new URL(link.href)
    link.setAttribute('href', pathname + search + hash)
  }
}

/** Inserts hidden declarations before VitePress copies an example, so that a reader copies a complete program. */
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

/** Returns the lines that a copied example needs before its code, or an empty string. `name` is the package name. */
function preludeOf(code: string, name: string): string {
  if (!/\b(UserId|TeamId|IdOf|defineId)\b/.test(code) || /import \{[^}]*\bdefineId\b/.test(code)) return ''
  return `${IMPORT.replace('typed-id', name)}${/\bconst UserId\b/.test(code) ? '' : TYPES}\n`
}

declare const __PACKAGE__: string
