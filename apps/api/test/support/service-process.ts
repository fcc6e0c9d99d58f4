import { onTestFinished } from 'vitest'
import { type Running, startService } from './process.ts'

/** Starts the service as a process that ends with the test, even when the test fails. */
export async function startServiceForTest(
  env: Record<string, string>,
  through: readonly string[] = [],
): Promise<Running> {
  const service = await startService(env, through)
  onTestFinished(async () => {
    await service.stop('SIGKILL')
  })
  return service
}
