import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import type { Address } from '../listen.ts'
import { createMeter, type Meter } from './meter.ts'
import { type MetricsServer, serveMetrics } from './serve.ts'

/** Measures this process, and serves what is measured, or tells its supervisor when it is a worker. */
export async function openMetrics(
  address: Address,
): Promise<Meter & { url?: string; close(): Promise<void> }> {
  const meter = createMeter()
  const { registry } = meter
  if (cluster.isPrimary)
    return { ...meter, ...(await serveMetrics(address, registry.contentType, () => registry.metrics())) }
  AggregatorRegistry.setRegistries([registry])
  new AggregatorRegistry() // listens to the supervisor
  return { ...meter, async close() {} }
}

/** Serves the sum of what the workers measure. Of the event loop's delays it is the mean, or the most or the least. */
export async function openMetricsOfWorkers(address: Address): Promise<MetricsServer> {
  const workers = new AggregatorRegistry()
  return serveMetrics(address, workers.contentType, () => workers.clusterMetrics())
}
