import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { Address } from '../../server/listen.ts'
import { createMeter, type Meter } from './meter.ts'
import { type CheckHealth, type MetricsServer, serveMetrics } from './serve.ts'

/** Measures this process. Serves the metrics, or, in a worker, reports them to the supervisor. */
export async function openMetrics(
  address: Address,
  checkHealth: CheckHealth,
): Promise<Meter & { url?: string; close(): Promise<void> }> {
  const meter = createMeter()
  const { registry } = meter
  if (cluster.isPrimary)
    return {
      ...meter,
      ...(await serveMetrics(address, registry.contentType, () => registry.metrics(), checkHealth)),
    }
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry() // registers a listener for the supervisor's requests
  return { ...meter, async close() {} }
}

/** Serves the sum of the workers' metrics. Event loop delays are averaged, or the minimum or maximum is taken. */
export async function openMetricsOfWorkers(
  address: Address,
  checkHealth: CheckHealth,
): Promise<MetricsServer> {
  const workers = new AggregatorRegistry()
  return serveMetrics(address, workers.contentType, () => workers.clusterMetrics(), checkHealth)
}
