import { create } from './dom.ts'
import type { Part, Row } from './log.ts'
import type { LogClient } from './log-client.ts'
import { findPosition, findScrollTop, ROW_HEIGHT } from './scroll.ts'

/** Rows above and below the visible ones, so that a short scroll shows no gap. */
const MARGIN = 8

/** The border and a scroll bar at the bottom, in pixels. */
const SCROLLBAR = 24

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Shows the rows of a log that are in view. The other rows are no elements. */
export function createLogView(
  view: HTMLElement,
  client: LogClient,
  classOf: (type: number) => string,
  onSelect: (id: ShownId) => void,
) {
  const spacer = view.querySelector('.spacer') as HTMLElement
  const rows = view.querySelector('.rows') as HTMLElement
  let total = 0
  let shown = { first: 0, count: 0 }
  let selected = '' // the key of an id
  let drawing: Promise<void> | undefined
  let isStale = false

  function select(button: HTMLButtonElement, key: string, id: ShownId): void {
    selected = key
    for (const other of rows.querySelectorAll('[aria-current]')) mark(other, false)
    mark(button, true)
    onSelect(id)
  }

  const findTop = () => findPosition(total, view.scrollTop, view.clientHeight).top

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

  async function drawOnce(): Promise<void> {
    if (total === 0) return rows.replaceChildren()
    const first = Math.max(0, Math.floor(findTop()) - MARGIN)
    const count = Math.min(total - first, Math.ceil(view.clientHeight / ROW_HEIGHT) + 2 * MARGIN)
    const read = await client.readRows(first, count)
    const hadFocus = rows.contains(document.activeElement)
    shown = { first, count: read.length }
    rows.replaceChildren(...read.map((row) => createRow(row, classOf, addId)))
    rows.style.transform = `translateY(${view.scrollTop - (findTop() - first) * ROW_HEIGHT}px)`
    const current =
      rows.querySelector<HTMLElement>('[aria-current]') ?? rows.querySelector<HTMLElement>('.id')
    current?.setAttribute('tabindex', '0')
    if (hadFocus) (current ?? view).focus({ preventScroll: true })
    if (!selected) rows.querySelector<HTMLElement>('.id')?.click()
  }

  function addId(button: HTMLButtonElement, key: string, id: ShownId): void {
    if (key === selected) mark(button, true)
    button.addEventListener('click', () => select(button, key, id))
  }

  /** Moves to the next id (1) or to the one before (-1), which can be far away. */
  async function move(from: Element, step: 1 | -1): Promise<void> {
    const ids = [...rows.querySelectorAll<HTMLElement>('.id')]
    const next = ids[ids.indexOf(from as HTMLElement) + step]
    if (next) return goTo(next)
    // The drawn rows have no further id.
    const edge = step > 0 ? shown.first + shown.count - 1 : shown.first
    const neighbour = await client.findNeighbour(edge, step)
    if (neighbour === undefined) return
    view.scrollTop = findScrollTop(total, neighbour, view.clientHeight)
    await draw()
    const found = rows.children[neighbour - shown.first]?.querySelectorAll<HTMLElement>('.id') ?? []
    const target = [...found].at(step > 0 ? 0 : -1)
    if (target) goTo(target)
  }

  function goTo(id: HTMLElement): void {
    id.focus({ preventScroll: true })
    id.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    id.click()
  }

  view.addEventListener('scroll', draw, { passive: true })
  new ResizeObserver(draw).observe(view)
  view.addEventListener('keydown', (event) => {
    const step = STEPS[event.key]
    if (!step || !(event.target instanceof Element) || !event.target.matches('.id')) return
    event.preventDefault()
    move(event.target, step)
  })

  return {
    /** Shows the start of another log. */
    reset(): void {
      selected = ''
      total = 0
      view.scrollTop = 0
      rows.replaceChildren()
      shown = { first: 0, count: 0 }
    },

    /** Sets the number of rows, and draws those in view if they have changed. */
    update(count: number, hasChanged: boolean): void {
      const isGrowing = !hasChanged && shown.count > 0 && shown.first + shown.count < total && count > total
      total = count
      if (hasChanged) {
        view.scrollTop = 0
        selected = '' // the first id of the new rows
      }
      view.style.maxHeight = `${total * ROW_HEIGHT + SCROLLBAR}px`
      spacer.style.height = `${findPosition(total, 0, view.clientHeight).height}px`
      if (!isGrowing) draw()
    },
  }
}

function mark(id: Element, isSelected: boolean): void {
  if (isSelected) id.setAttribute('aria-current', 'true')
  else id.removeAttribute('aria-current')
  id.setAttribute('tabindex', isSelected ? '0' : '-1')
}

/** An id in the log, as it is shown. */
export type ShownId = Exclude<Part, string>

/** Identifies an id of the log: its row, and its place among the parts of the row. */
const findKey = (row: number, part: number): string => `${row}.${part}`

/** Returns the element of a row. Each id is a button, whose key `onId` receives. */
function createRow(
  { row, line, parts }: Row,
  classOf: (type: number) => string,
  onId: (button: HTMLButtonElement, key: string, id: ShownId) => void,
): HTMLElement {
  const content = parts.map((part, index) => {
    if (typeof part === 'string') return showControls(part)
    const isInvalid = part.text !== part.id
    const button = create('button', {
      type: 'button',
      class: `id ${classOf(part.type)}${isInvalid ? ' invalid' : ''}`,
      tabindex: '-1',
      ...(isInvalid && { title: `Not an id. Did you mean ${part.id}?` }),
    })
    button.textContent = part.text
    onId(button, findKey(row, index), part)
    return button
  })
  return create(
    'div',
    { class: 'row' },
    create('span', { class: 'number' }, line > 0 ? line.toLocaleString('en') : '…'),
    create('span', { class: 'text' }, ...content),
  )
}

/** Replaces control characters, such as those of colours, by symbols of Unicode's block Control Pictures. */
function showControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched
  return text.replace(/[\0-\x08\x0b-\x1f]/g, (unit) => String.fromCharCode(0x2400 + unit.charCodeAt(0)))
}
