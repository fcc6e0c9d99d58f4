import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'

export interface TextPage {
  readonly text: string
  readonly hasMore: boolean
  readonly count: number
  readonly lastId: string
}

export const join = (page: TextPage, next: TextPage): TextPage =>
  next.count === 0
    ? { ...page, hasMore: next.hasMore }
    : {
        ...next,
        text: `${page.text.slice(0, -1)},${next.text.slice(1)}`,
        count: page.count + next.count,
      }

export function streamPages(
  c: Context,
  { text, hasMore, lastId }: TextPage,
  readAfter: (id: string) => Promise<TextPage>,
): ReadableStream<Uint8Array> {
  async function* parts() {
    yield Buffer.from(text.slice(0, -1))
    try {
      while (hasMore) {
        const page = await readAfter(lastId)
        ;({ hasMore, lastId } = page)
        if (page.count > 0) yield Buffer.from(`,${page.text.slice(1, -1)}`)
      }
    } catch (error) {
      throw bindingsOf(c).exchange?.abort(error) ?? error
    }
    yield Buffer.from(']')
  }
  return ReadableStream.from(parts())
}
