import { find } from './dom.ts'
import { formatSize } from './summary.ts'

/** A longer input is treated like a file, because it would make the text field slow. */
const MAX_TEXT = 50_000

interface Shown {
  showText(text: string): void
  showLog(log: Blob): void
}

/** Handles all ways of input: typing, pasting, opening and dropping. */
export function startInput({ showText, showLog }: Shown) {
  const field = find<HTMLTextAreaElement>('input')
  const chooser = find<HTMLInputElement>('chooser')
  let entries = 0 // a counter: only the latest input is shown, also if an earlier file is decoded later

  async function showFiles(files: readonly File[]): Promise<void> {
    if (files.length === 0) return
    const entry = ++entries
    const name = files.length === 1 ? (files[0] as File).name : `${files.length} files`
    // A Blob of files leaves their content on the disk. The search reports a file that cannot be read.
    const parts = await Promise.all(files.map((file) => toUtf8(file).catch(() => file)))
    if (entry === entries)
      showSource(name, new Blob(parts.flatMap((part, i) => (i > 0 ? ['\n', part] : [part]))))
  }

  function showSource(name: string, log: Blob): void {
    forgetFragment()
    field.value = ''
    find('source-name').textContent = `${name}, ${formatSize(log.size)}`
    document.body.dataset.source = 'file'
    showLog(log)
  }

  function show(text: string): void {
    entries++
    if (text.length > MAX_TEXT) {
      showSource('Text', new Blob([text]))
    } else {
      delete document.body.dataset.source
      field.value = text
      showText(text)
    }
  }

  function set(text: string): void {
    forgetFragment()
    show(text)
  }

  field.addEventListener('input', () => set(field.value))
  document.addEventListener('paste', (event) => {
    const { target, clipboardData } = event
    const isOtherField =
      target !== field && target instanceof HTMLElement && target.matches('input, textarea')
    if (!clipboardData || isOtherField) return
    const text = clipboardData.getData('text')
    if (target === field && clipboardData.files.length === 0 && text.length <= MAX_TEXT) return
    event.preventDefault()
    if (clipboardData.files.length > 0) showFiles([...clipboardData.files])
    else set(text)
  })
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'])
    document.addEventListener(name, (event) => {
      event.preventDefault()
      document.body.toggleAttribute('data-dragging', name.startsWith('drage') || name === 'dragover')
    })
  document.addEventListener('drop', ({ dataTransfer }) => {
    if (!dataTransfer) return
    if (dataTransfer.files.length > 0) showFiles([...dataTransfer.files])
    else set(dataTransfer.getData('text'))
  })
  chooser.addEventListener('change', () => {
    showFiles([...(chooser.files ?? [])])
    chooser.value = '' // so that a user can open the same file again
  })
  find('open').addEventListener('click', () => chooser.click())
  find('clear').addEventListener('click', () => {
    set('')
    field.focus()
  })

  return {
    set,
    text: () => field.value,

    /** Shows the id in the fragment of the address, now and when the fragment changes. */
    readFragment(): void {
      const read = () => {
        const text = decode(location.hash.slice(1))
        if (text) show(text)
      }
      addEventListener('hashchange', read)
      read()
    },
  }
}

/** Converts a UTF-16 file with a byte order mark, as PowerShell 5 writes, to UTF-8. Returns other files unchanged. */
async function toUtf8(file: File): Promise<Blob> {
  const mark = new Uint8Array(await file.slice(0, 2).arrayBuffer()).join()
  const encoding = mark === '255,254' ? 'utf-16le' : mark === '254,255' && 'utf-16be'
  return encoding ? new Blob([new TextDecoder(encoding).decode(await file.arrayBuffer())]) : file
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // invalid encoding: a `%` without two digits
  }
}

/** Removes the fragment, because the address must not contain another id than the page shows. */
function forgetFragment(): void {
  if (location.hash) history.replaceState(null, '', location.pathname + location.search)
}
