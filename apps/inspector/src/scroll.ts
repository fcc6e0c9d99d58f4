/** The height of a row of one line, in pixels, as in the style sheet. */
export const ROW_HEIGHT = 24
/** Maximum height of the list in pixels. Browsers limit the height of an element, Firefox to 17.8 million pixels. */
const MAX_HEIGHT = 8_000_000

/** A row and its position in the scrolled content, in pixels. `part` is the share of the row above that position. */
interface Anchor {
  readonly row: number
  readonly top: number
  readonly part?: number
}

/**
 * Positions the drawn rows of a list. Long rows wrap, so only the heights of drawn rows are known. Other rows are
 * assumed to have the average height. Drawn rows keep their positions while the user scrolls among them. After a jump,
 * the share of the height above the view equals the share of the rows above it.
 */
export function createScroller(view: HTMLElement, spacer: HTMLElement, rows: HTMLElement) {
  let total = 0
  let average = ROW_HEIGHT
  let first = 0 // the index of the first drawn row
  let top = 0 // the position of the first drawn row, in pixels
  let target: Anchor | undefined

  const drawn = () => [...rows.children] as HTMLElement[]
  /** Returns the height that a row adds to the list. It is less than the average if the list would be too high. */
  const findStep = () => Math.min(average, MAX_HEIGHT / total)

  function setHeight(): void {
    const height = top + rows.offsetHeight + (total - first - rows.children.length) * findStep()
    spacer.style.height = `${height}px`
    view.style.maxHeight = `${height + 2}px` // adds the borders of the view
  }

  return {
    /** The indexes of the drawn rows. */
    range: () => ({ first, end: first + rows.children.length }),

    /** Sets the number of rows. Returns whether the view has space for rows that are not drawn. */
    resize(count: number): boolean {
      total = count
      if (!rows.firstChild) first = top = 0
      setHeight()
      return top + rows.offsetHeight < view.scrollTop + view.clientHeight
    },

    jump(row: number): void {
      const middle = view.clientHeight / 2
      view.scrollTop = row * findStep() - middle
      const { scrollTop } = view
      target = { row, top: Math.max(scrollTop, Math.min(row * findStep(), scrollTop + middle)) }
    },

    /** Returns a row in view, around which the caller draws rows. */
    findAnchor(): Anchor {
      const { scrollTop, clientHeight, scrollHeight } = view
      if (target) return target
      const all = drawn()
      const index = all.findIndex((row) => top + row.offsetTop + row.offsetHeight > scrollTop)
      const found = all[index]
      if (found && top + found.offsetTop < scrollTop + clientHeight)
        return { row: first + index, top: top + found.offsetTop }
      const share = scrollTop / Math.max(1, scrollHeight - clientHeight)
      const row = Math.min(total - 1, Math.floor(share * total))
      return { row, top: scrollTop + share * clientHeight, part: share * total - row }
    },

    /** Replaces the drawn rows. The row of `anchor` keeps its position. */
    place(from: number, elements: readonly HTMLElement[], anchor: Anchor): void {
      rows.replaceChildren(...elements)
      first = from
      target = undefined
      average = rows.offsetHeight / elements.length || ROW_HEIGHT
      const row = drawn()[anchor.row - from]
      top = row ? anchor.top - row.offsetTop - (anchor.part ?? 0) * row.offsetHeight : anchor.top
      // Near the start of the list, moves the rows together with the view, so that the first row is at 0.
      const shift = from === 0 || top < view.clientHeight ? from * findStep() - top : 0
      const { scrollTop } = view
      top += shift
      setHeight()
      rows.style.transform = `translateY(${top}px)`
      if (shift !== 0) view.scrollTop = scrollTop + shift
    },
  }
}
