import { create } from './dom.ts'
import type { Part, Row } from './log.ts'

/** An id in the log, as it is shown. */
export type ShownId = Exclude<Part, string>

/** Identifies an id of the log: its row, and its place among the parts of the row. */
export const findKey = (row: number, part: number): string => `${row}.${part}`

/** Returns the element of a row. Each id is a button, whose key `onId` receives. */
export function createRow(
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
