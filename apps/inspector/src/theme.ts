import { find } from './dom.ts'

/** The site keeps its theme under this key. The inspector is a page of the site and follows it. */
const KEY = 'vitepress-theme-appearance'

/** Applies the chosen theme, or else that of the system, and lets the button switch it. */
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
