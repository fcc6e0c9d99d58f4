/** The height of a row, in pixels. The style sheet has the same. */
export const ROW_HEIGHT = 24
/** Browsers limit the height of an element: Firefox to 17.8 million pixels. */
const MAX_HEIGHT = 8_000_000

/** The position of a list of rows of which only the visible ones are elements. */
export interface Position {
  /** The index of the row at the top, with a fraction. */
  readonly top: number
  /** The height of all rows, in pixels. */
  readonly height: number
}

/** Returns which row is at the top. A list that is too high is scrolled proportionally. */
export function findPosition(rows: number, scrollTop: number, viewHeight: number): Position {
  const height = rows * ROW_HEIGHT
  if (height <= MAX_HEIGHT) return { top: scrollTop / ROW_HEIGHT, height }
  const share = scrollTop / (MAX_HEIGHT - viewHeight)
  return { top: share * (rows - viewHeight / ROW_HEIGHT), height: MAX_HEIGHT }
}

/** Returns where to scroll so that a row is in the middle. */
export function findScrollTop(rows: number, row: number, viewHeight: number): number {
  const top = row - viewHeight / ROW_HEIGHT / 2
  if (rows * ROW_HEIGHT <= MAX_HEIGHT) return top * ROW_HEIGHT
  return (top / (rows - viewHeight / ROW_HEIGHT)) * (MAX_HEIGHT - viewHeight)
}
