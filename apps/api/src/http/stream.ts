/**
 * A stream that makes each chunk when the client has taken the one before, and stops when the client is gone.
 * An error breaks the connection, so that half an answer never looks like a whole one; it is told to `onError` and
 * goes no further, since what it says is not for the server's console.
 */
export function streamed(
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
          throw new Error('The answer broke off; the log says why')
        }
      },
      async cancel() {
        isCancelled = true // maybe while a chunk is being made
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
