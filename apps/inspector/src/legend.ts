import { create } from './dom.ts'
import { PLAIN_UUID } from './find-all.ts'
import type { Filter, TypeCount } from './tally.ts'

/** Maximum number of types in the legend: more would fill the page. */
const MAX_CHIPS = 40

/** Shows a button for each type, with the number of ids. The pressed types are the filter. */
export function createLegend(
  list: HTMLElement,
  colourOf: (type: string) => string,
  onFilter: (filter: Filter | undefined) => void,
) {
  const chips = new Map<string, HTMLButtonElement>()
  const pressed = new Set<number>()
  const more = create('li', { class: 'more' })
  let isInvalidPressed = false

  function change(chip: HTMLButtonElement, isPressed: boolean): void {
    chip.setAttribute('aria-pressed', String(isPressed))
    const hasFilter = pressed.size > 0 || isInvalidPressed
    onFilter(hasFilter ? { types: [...pressed], invalid: isInvalidPressed } : undefined)
  }

  function findChip(name: string, classes: string, press: () => boolean): HTMLButtonElement {
    const known = chips.get(name)
    if (known) return known
    const chip = create('button', { type: 'button', class: `chip ${classes}`, 'aria-pressed': 'false' })
    chip.append(create('span', { class: 'swatch', 'aria-hidden': 'true' }), `${name} `, create('b'))
    chip.addEventListener('click', () => change(chip, press()))
    chips.set(name, chip)
    return chip
  }

  return {
    clear(): void {
      chips.clear()
      pressed.clear()
      isInvalidPressed = false
      list.replaceChildren()
    },

    /** Shows the counts, the most frequent type first. */
    update(types: readonly TypeCount[]): void {
      const sorted = types
        .map((type, number) => ({ ...type, number }))
        .sort((a, b) => b.ids + b.invalid - a.ids - a.invalid || a.number - b.number)
      const shown = sorted.slice(0, MAX_CHIPS).map(({ name, ids, invalid, number }) => {
        const chip = findChip(name, colourOf(name), () => {
          if (!pressed.delete(number)) pressed.add(number)
          return pressed.has(number)
        })
        return setCount(chip, ids + invalid)
      })
      const invalid = types.reduce((sum, type) => sum + type.invalid, 0)
      if (invalid > 0) {
        const chip = findChip('did you mean?', 'invalid', () => {
          isInvalidPressed = !isInvalidPressed
          return isInvalidPressed
        })
        shown.push(setCount(chip, invalid))
      }
      // Does not move elements that remain, so that a chip keeps the focus.
      const items = shown.map((chip) => chip.parentElement ?? create('li', {}, chip))
      items.forEach((item, index) => {
        if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null)
      })
      more.textContent = types.length > MAX_CHIPS ? `and ${types.length - MAX_CHIPS} more types` : ''
      if (types.length > MAX_CHIPS) list.append(more)
    },
  }
}

function setCount(chip: HTMLButtonElement, count: number): HTMLButtonElement {
  const shown = chip.querySelector('b')
  if (shown) shown.textContent = count.toLocaleString('en')
  return chip
}

/** The number of hues and of kinds of underlines in the style sheet. */
const HUES = 12
const UNDERLINES = 3

/** Returns a function that returns the CSS classes of a type. Types keep their colours in every log, if possible. */
export function createColours(): (type: string) => string {
  const classes = new Map<string, string>()
  return (type) => {
    const known = classes.get(type)
    if (known) return known
    const colour = type === PLAIN_UUID ? 'plain' : chooseColour(type, new Set(classes.values()))
    classes.set(type, colour)
    return colour
  }
}

function chooseColour(type: string, taken: ReadonlySet<string>): string {
  let hash = 7
  for (const character of type) hash = (hash * 31 + (character.codePointAt(0) as number)) % 9973
  for (let step = 0; step < HUES * UNDERLINES; step++) {
    const colour = `hue${(hash + step) % HUES} line${Math.floor(step / HUES)}`
    if (!taken.has(colour)) return colour
  }
  return `hue${hash % HUES} line0`
}
