import { onTestFinished } from 'vitest'
import { type Running, startService } from './process.ts'

/** Starts the service as a process that ends with the test, even when the test fails. */
export async function startServiceForTest(
  env: Record<string, string>,
  through: readonly string[] = [],
  args: readonly string[] = [],
): Promise<Running> {
  const service = await startService(env, through, () => {}, args)
  onTestFinished(async () => {
    await service.stop('SIGKILL')
  })
  return service
}
