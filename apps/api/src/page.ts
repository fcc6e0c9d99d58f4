/**
 * One page of a list in the order of the ids. It may contain fewer items than
 * the limit and still have a next page. A page without items is the last one.
 */
export interface Page<Item> {
  readonly items: Item[]
  readonly hasMore: boolean
}

export const pageOf = <Row>(rows: Row[], limit: number): Page<Row> => ({
  items: rows.slice(0, limit),
  hasMore: rows.length > limit,
})
