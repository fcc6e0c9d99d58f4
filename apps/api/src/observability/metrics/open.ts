import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Address } from '../../server/listen.ts'
import { type CheckHealth, type MetricsServer, serveMetrics } from './serve.ts'

export { createMeter } from './meter.ts'

/** Serves the metrics of this process, or, in a worker, reports them to the supervisor. */
export async function openMetrics(
  address: Address,
  registry: Registry,
  checkHealth: CheckHealth,
): Promise<Partial<MetricsServer> & Pick<MetricsServer, 'close'>> {
  if (cluster.isPrimary)
    return serveMetrics(address, registry.contentType, () => registry.metrics(), checkHealth)
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry() // registers a listener for the supervisor's requests
  return { async close() {} }
}

/** Serves the sum of the workers' metrics. Event loop delays are averaged, or the minimum or maximum is taken. */
export async function openMetricsOfWorkers(
  address: Address,
  checkHealth: CheckHealth,
): Promise<MetricsServer> {
  const workers = new AggregatorRegistry()
  return serveMetrics(address, workers.contentType, () => workers.clusterMetrics(), checkHealth)
}
