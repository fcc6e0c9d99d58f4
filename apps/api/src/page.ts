export interface Page<Item> {
  readonly items: Item[]
  readonly hasMore: boolean
}

export interface PageRequest<Id> {
  readonly after: Id
  readonly limit: number
}

export const pageOf = <Row>(rows: Row[], limit: number): Page<Row> => ({
  items: rows.slice(0, limit),
  hasMore: rows.length > limit,
})
