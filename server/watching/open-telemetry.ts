import type { Config } from '../config.ts'
import type { Log } from '../log/once-log.ts'

/** Traces this process where a collector is set. Without one, nothing of OpenTelemetry is loaded. */
export async function openTelemetry(
  config: Pick<
    Config,
    'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG' | 'OTEL_METRIC_EXPORT_INTERVAL' | 'version'
  >,
  log: Pick<Log, 'warn'>,
): Promise<{ stop(): Promise<void> } | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return undefined
  const { startTelemetry } = await import('./telemetry.ts')
  return startTelemetry({
    endpoint: endpoint.replace(/\/$/, ''),
    share: config.OTEL_TRACES_SAMPLER_ARG,
    version: config.version,
    metricsMs: config.OTEL_METRIC_EXPORT_INTERVAL,
    log,
  })
}
