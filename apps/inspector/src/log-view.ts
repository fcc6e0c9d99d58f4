import { create } from './dom.ts'
import type { Part, Row } from './log.ts'
import type { LogClient } from './log-client.ts'
import { createPattern } from './rows.ts'
import { createScroller, ROW_HEIGHT } from './scroll.ts'

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, n: 1, p: -1 }

/** An id in the log. */
export type ShownId = Exclude<Part, string>

/** Shows the rows of a log that are in view. Other rows have no elements. */
export function createLogView(
  view: HTMLElement,
  client: LogClient,
  classOf: (type: number) => string,
  onSelect: (id: ShownId) => void,
) {
  const rows = view.querySelector('.rows') as HTMLElement
  const scroller = createScroller(view, view.querySelector('.spacer') as HTMLElement, rows)
  let total = 0
  let searched: RegExp | undefined
  /** The selected id: the index of its row, its position in the row, and the key of its value. */
  let selected: { readonly index: number; readonly place: string; readonly key: number } | undefined
  let preferred: number | undefined // the key of an id to select
  let drawing: Promise<void> | undefined
  let isStale = false

  /** Marks the selected id and its other occurrences. Returns the element that the Tab key reaches. */
  function mark(): HTMLElement | undefined {
    const ids = [...rows.querySelectorAll<HTMLElement>('.id')]
    const current = ids.find(({ dataset }) => dataset.place === selected?.place)
    for (const id of ids) {
      id.classList.toggle('same', id.dataset.key === String(selected?.key))
      if (id === current) id.setAttribute('aria-current', 'true')
      else id.removeAttribute('aria-current')
      id.tabIndex = id === (current ?? ids[0]) ? 0 : -1
    }
    return current ?? ids[0]
  }

  /** Draws the rows in view, and again if they have changed in the meantime. */
  function draw(): Promise<void> {
    isStale = true
    drawing ??= (async () => {
      while (isStale) {
        isStale = false
        await drawOnce()
      }
      drawing = undefined
    })()
    return drawing
  }

  /** Draws three times as many rows as fit into the view, so that scrolling by a page shows no gap. */
  async function drawOnce(): Promise<void> {
    if (total === 0) return rows.replaceChildren()
    const screen = Math.ceil(view.clientHeight / ROW_HEIGHT)
    const anchor = scroller.findAnchor()
    const first = Math.max(0, anchor.row - screen)
    const read = (await client.readRows(first, 3 * screen)) ?? []
    const hadFocus = rows.contains(document.activeElement)
    scroller.place(
      first,
      read.map((row, offset) => createRow(row, first + offset)),
      anchor,
    )
    const current = mark()
    if (hadFocus) (current ?? view).focus({ preventScroll: true })
    if (!selected) (rows.querySelector<HTMLElement>(`[data-key="${preferred}"]`) ?? current)?.click()
  }

  function createRow({ row, line, parts }: Row, index: number): HTMLElement {
    const content = parts.flatMap((part, number) => {
      if (typeof part === 'string') return highlight(showControls(part))
      const isInvalid = part.text !== part.id
      const button = create('button', {
        type: 'button',
        class: `id ${classOf(part.type)}${isInvalid ? ' invalid' : ''}`,
        'data-place': `${row}.${number}`,
        'data-key': String(part.key),
        ...(isInvalid && { title: `Not an id. Did you mean ${part.id}?` }),
      })
      button.append(...highlight(part.text))
      button.addEventListener('click', () => {
        selected = { index, place: `${row}.${number}`, key: part.key }
        mark()
        onSelect(part)
      })
      return button
    })
    return create(
      'div',
      { class: 'row' },
      create('span', { class: 'number' }, line > 0 ? line.toLocaleString('en') : '…'),
      create('span', { class: 'text' }, ...content),
    )
  }

  /** Marks the searched text. */
  function highlight(text: string): (Node | string)[] {
    if (!searched) return [text]
    return text.split(searched).map((part, index) => (index % 2 === 0 ? part : create('mark', {}, part)))
  }

  /**
   * Selects the next (1) or the previous (-1) id, also one that is far away. With `isSame`, it selects an occurrence of
   * the same id. Starts at the row with the index `from`, by default at the selected id.
   */
  async function move(step: 1 | -1, isSame: boolean, from?: number): Promise<void> {
    const key = isSame ? selected?.key : undefined
    const selector = isSame ? '.same' : '.id'
    const ids = [...rows.querySelectorAll<HTMLElement>(selector)]
    const at = ids.findIndex((id) => id.matches('[aria-current]'))
    const next = at < 0 || from !== undefined ? undefined : ids[at + step]
    if (next) return goTo(next)
    const { first, end } = scroller.range()
    const edge = at < 0 ? (selected?.index ?? -1) : step > 0 ? end - 1 : first
    const index = await client.findNeighbour(from ?? edge, step, key)
    if (index === undefined) return
    if (index < scroller.range().first || index >= scroller.range().end) {
      scroller.jump(index)
      await draw()
    }
    const found = rows.children[index - scroller.range().first]?.querySelectorAll<HTMLElement>(selector) ?? []
    const target = [...found].at(step > 0 ? 0 : -1)
    if (target) goTo(target)
  }

  /** Selects an id. Moves the focus only within the log. */
  function goTo(id: HTMLElement): void {
    id.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    if (rows.contains(document.activeElement)) id.focus({ preventScroll: true })
    id.click()
  }

  view.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(view)
  view.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event
    const step = STEPS[key]
    if (!step || altKey || ctrlKey || metaKey || !(target instanceof Element) || !target.matches('.id'))
      return
    event.preventDefault()
    if (!target.matches('[aria-current]')) (target as HTMLElement).click() // selects an id to which Tab has moved
    move(step, key.length === 1)
  })

  return {
    /** Shows the start of another log. */
    reset(): void {
      selected = undefined
      preferred = undefined
      searched = undefined
      total = 0
      rows.replaceChildren()
      scroller.resize(0)
      scroller.jump(0)
    },

    /** Sets the number of rows, and draws those in view if they have changed. */
    async update(count: number): Promise<void> {
      total = count
      if (scroller.resize(count)) draw()
    },

    /** Shows other rows. Starts at the first row that contains the id `key`, by default the selected id. */
    async show(count: number, text: string, key = selected?.key): Promise<void> {
      const index = key === undefined ? undefined : await client.findNeighbour(-1, 1, key)
      searched = text ? createPattern(text) : undefined
      selected = undefined
      preferred = key
      total = count
      scroller.resize(count)
      scroller.jump(index ?? 0)
      draw()
    },

    /** Selects the first, previous, next or last occurrence of the selected id. */
    goTo(occurrence: 'first' | 'previous' | 'next' | 'last'): void {
      if (occurrence === 'first') move(1, true, -1)
      else if (occurrence === 'last') move(-1, true, total)
      else move(occurrence === 'next' ? 1 : -1, true)
    },
  }
}

/** Replaces control characters, such as those of colour codes, by symbols of Unicode's block Control Pictures. */
function showControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  return text.replace(/[\0-\x08\x0b-\x1f]/g, (unit) => String.fromCharCode(0x2400 + unit.charCodeAt(0)))
}
