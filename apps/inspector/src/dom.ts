export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (!element) throw new Error(`expected an element #${id}`)
  return element as T
}

/** Strings become text nodes, and are never parsed as HTML. */
export function create(
  selector: string,
  ...children: readonly (Node | string)[]
): HTMLElement {
  const [tag = '', className = ''] = selector.split('.')
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

export function announce(message: string): void {
  const status = find('status')
  status.textContent =
    status.textContent === message ? `${message}\u00a0` : message
}

export function copyOnClick(
  button: HTMLElement,
  name: string,
  text: () => string,
): void {
  const label = button.textContent
  button.addEventListener('click', async () => {
    // Browsers define `clipboard` in secure contexts only, such as https.
    const isCopied = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    )
    button.textContent = isCopied ? 'Copied' : 'Failed'
    announce(
      isCopied ? `${name} copied` : `${name} not copied: select and copy it`,
    )
    setTimeout(() => {
      button.textContent = label
    }, 1500)
  })
}
