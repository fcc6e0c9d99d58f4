import { announce, copyOnClick, find } from './dom.ts'
import { newId, read } from './read.ts'
import { show } from './view.ts'

declare const VERSION: string
const VITEPRESS_THEME_KEY = 'vitepress-theme-appearance'

const EXAMPLE = 'user-0190163d-8694-739b-aea5-966c26f8ad91'

const input = find<HTMLTextAreaElement>('input')
const root = document.documentElement

find('version').textContent = VERSION
if (location.protocol.startsWith('http')) find('site').hidden = false

function update(): void {
  const result = read(input.value)
  const { title, content } = show(result, set)
  find('link').hidden = result.kind === 'empty'
  find('result').replaceChildren(...content)
  announce(title)
}

function replace(): void {
  if (location.hash)
    history.replaceState(null, '', location.href.replace(/#.*/s, ''))
  update()
}

function set(text: string): void {
  input.value = text
  replace()
  input.focus()
}

input.addEventListener('input', replace)
find('new').addEventListener('click', () => set(newId(input.value)))
// Puts the id into the fragment, which browsers do not send to a server.
const link = () =>
  `${location.href.replace(/#.*/s, '')}#${encodeURIComponent(input.value.trim())}`
copyOnClick(find('link'), 'Link', link)
const readFragment = () => {
  try {
    input.value = decodeURIComponent(location.hash.slice(1))
  } catch {} // the fragment is not from a link of this page
  update()
}
addEventListener('hashchange', readFragment)
readFragment()
if (input.value === '') {
  set(EXAMPLE)
  input.select()
}

try {
  root.dataset.theme = localStorage.getItem(VITEPRESS_THEME_KEY) ?? 'auto'
} catch {} // storage is disabled, so the theme of the system applies
