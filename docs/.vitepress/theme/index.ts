import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'

const IMPORT = `import { defineId, type IdOf } from 'typed-id'\n`

/** The types that the examples of the guide use. */
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

/** Returns the lines that a copied example needs before it, or an empty string. `name` is the name of the package. */
function preludeOf(code: string, name: string): string {
  if (!/\b(UserId|TeamId|IdOf|defineId)\b/.test(code) || /import \{[^}]*\bdefineId\b/.test(code)) return ''
  return `${IMPORT.replace('typed-id', name)}${/\bconst UserId\b/.test(code) ? '' : TYPES}\n`
}

declare const __PACKAGE__: string
