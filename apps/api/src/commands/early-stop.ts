/** The operator stopped the service before it was ready. */
export class StoppedEarly extends Error {
  override readonly name = 'StoppedEarly'
}

/**
 * Returns the result of a step of the start, and throws a StoppedEarly when the signal to stop arrives first. The
 * process then exits without waiting for the step: its transaction is rolled back by the database.
 */
export const unlessStopped = <T>(step: Promise<T>, stopSignal: Promise<string>): Promise<T> =>
  Promise.race([
    step,
    stopSignal.then((signal) => {
      throw new StoppedEarly(`received ${signal}`)
    }),
  ])
