/** The height of a row that is one line, in pixels. The style sheet has the same. */
export const ROW_HEIGHT = 24
/** Browsers limit the height of an element: Firefox to 17.8 million pixels. */
const MAX_HEIGHT = 8_000_000

/** A row, and the position of its top, or of a lower part of it, in the scrolled content, in pixels. */
interface Anchor {
  readonly row: number
  readonly top: number
  readonly part?: number
}

/**
 * Positions the drawn rows of a list. Long rows wrap, so only the heights of drawn rows are known, and their average is
 * assumed for the others. The rows stay where they are while the user scrolls among them. After a jump, the share of the
 * height that is above the view is the share of the rows.
 */
export function createScroller(view: HTMLElement, spacer: HTMLElement, rows: HTMLElement) {
  let total = 0
  let average = ROW_HEIGHT
  let first = 0 // the index of the first drawn row
  let top = 0 // its position
  let target: Anchor | undefined

  const drawn = () => [...rows.children] as HTMLElement[]
  /** The height that a row adds to the list: less than the average if the list is too high. */
  const findStep = () => Math.min(average, MAX_HEIGHT / total)

  function setHeight(): void {
    const height = top + rows.offsetHeight + (total - first - rows.children.length) * findStep()
    spacer.style.height = `${height}px`
    view.style.maxHeight = `${height + 2}px` // with its borders
  }

  return {
    /** The indexes of the drawn rows. */
    range: () => ({ first, end: first + rows.children.length }),

    /** Sets the number of rows. Returns whether rows are missing in the view. */
    resize(count: number): boolean {
      total = count
      if (!rows.firstChild) first = top = 0
      setHeight()
      return top + rows.offsetHeight < view.scrollTop + view.clientHeight
    },

    /** Scrolls to a row. */
    jump(row: number): void {
      const middle = view.clientHeight / 2
      view.scrollTop = row * findStep() - middle
      const { scrollTop } = view
      target = { row, top: Math.max(scrollTop, Math.min(row * findStep(), scrollTop + middle)) }
    },

    /** Returns a row that is in view. The rows around it are to be drawn. */
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

    /** Replaces the drawn rows, so that `anchor` is where it was. */
    place(from: number, elements: readonly HTMLElement[], anchor: Anchor): void {
      rows.replaceChildren(...elements)
      first = from
      target = undefined
      average = rows.offsetHeight / elements.length || ROW_HEIGHT
      const row = drawn()[anchor.row - from]
      top = row ? anchor.top - row.offsetTop - (anchor.part ?? 0) * row.offsetHeight : anchor.top
      // Near the start of the list, its rows are moved together with the view, so that the first one ends up at 0.
      const shift = from === 0 || top < view.clientHeight ? from * findStep() - top : 0
      const { scrollTop } = view
      top += shift
      setHeight()
      rows.style.transform = `translateY(${top}px)`
      if (shift !== 0) view.scrollTop = scrollTop + shift
    },
  }
}
