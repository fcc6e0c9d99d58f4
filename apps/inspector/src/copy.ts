import { announce, create } from './dom.ts'

/** Returns a button that copies a string. `name` describes the string, for example 'UUID'. */
export function createCopyButton(
  name: string,
  text: () => string | Promise<string>,
  label = 'Copy',
): HTMLButtonElement {
  const button = create('button', { type: 'button', class: 'copy' }, label)
  if (label === 'Copy') button.append(create('span', { class: 'unseen' }, ` ${name}`))
  const content = [...button.childNodes]
  button.addEventListener('click', async () => {
    const isCopied = await copy(await text())
    button.replaceChildren(isCopied ? 'Copied' : 'Failed')
    announce(isCopied ? `${name} copied` : `${name} not copied: the browser does not allow it`)
    setTimeout(() => button.replaceChildren(...content), 1500)
  })
  return button
}

/** Lets the browser download a file. */
export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  create('a', { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text) // navigator.clipboard is missing on pages without https
  }
}

function copySelection(text: string): boolean {
  const focused = document.activeElement as HTMLElement | null
  const area = create('textarea', { class: 'unseen', readonly: '' })
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  focused?.focus()
  return isCopied
}
