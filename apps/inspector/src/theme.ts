import { find } from './dom.ts'

/** The key under which the site stores the theme. The inspector, a page of the site, applies the same theme. */
const KEY = 'vitepress-theme-appearance'

/** Applies the stored theme, or the theme of the system if there is none. Lets the button switch the theme. */
export function startTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const button = find('theme')
  const isDark = () =>
    (document.documentElement.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark'
  const apply = (chosen: string | null) => {
    if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen
    button.setAttribute('aria-pressed', String(isDark()))
  }
  apply(readChosen())
  system.addEventListener('change', () => apply(null))
  button.addEventListener('click', () => {
    const chosen = isDark() ? 'light' : 'dark'
    apply(chosen)
    try {
      localStorage.setItem(KEY, chosen)
    } catch {} // storage is disabled: the theme lasts until the page is closed
  })
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}
