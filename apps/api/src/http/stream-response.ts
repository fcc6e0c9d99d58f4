/**
 * Returns a stream that creates each chunk when the client has read the one before, and stops when the client
 * disconnects. An error breaks the connection, so a partial response never looks complete. The error is passed to
 * `onError` only: Node would print it to the console, where its message does not belong.
 */
export function streamResponse(
  chunks: AsyncIterable<Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  let isCancelled = false
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next()
          if (isCancelled) return
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          onError(error)
          throw new Error('response aborted: see the log')
        }
      },
      async cancel() {
        isCancelled = true // `pull` may be waiting for a chunk
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
