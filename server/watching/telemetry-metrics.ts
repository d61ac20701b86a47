import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime, millisToHrTime } from '@opentelemetry/core'
import type { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type Histogram, type MetricData } from '@opentelemetry/sdk-metrics'
import { type MetricObjectWithValues, type MetricValue, type MetricValueWithName, register } from 'prom-client'

type Found = MetricObjectWithValues<MetricValue<string> | MetricValueWithName<string>>

const startedAt: HrTime = millisToHrTime(Date.now() - process.uptime() * 1000)

const point = <T>(labels: object, value: T, endTime: HrTime) => ({
  startTime: startedAt,
  endTime,
  attributes: { ...labels } as Attributes,
  value,
})

/** The buckets, the sum and the count of each set of labels, which the registry lists as values of their own. */
function histogramPoints({ name, values }: Found, now: HrTime) {
  const found = new Map<string, { labels: object; bounds: [number, number][]; sum: number; count: number }>()
  for (const value of values as MetricValueWithName<string>[]) {
    const { le, ...labels } = value.labels as Record<string, string | number>
    const key = JSON.stringify(labels)
    const one = found.get(key) ?? { labels, bounds: [], sum: 0, count: 0 }
    found.set(key, one)
    if (value.metricName === `${name}_sum`) one.sum = value.value
    else if (value.metricName === `${name}_count`) one.count = value.value
    else if (le !== '+Inf') one.bounds.push([Number(le), value.value])
  }
  return [...found.values()].map(({ labels, bounds, sum, count }) => {
    const ordered = bounds.sort(([a], [b]) => a - b)
    // The registry counts what is below a bound, OpenTelemetry what is between two.
    const counts = [...ordered.map(([, below]) => below), count].map((below, at, all) => below - (all[at - 1] ?? 0))
    const value: Histogram = { buckets: { boundaries: ordered.map(([bound]) => bound), counts }, sum, count }
    return point(labels, value, now)
  })
}

/** A metric of the registry as OpenTelemetry writes it; summaries have no like there. */
function metricOf(metric: Found, now: HrTime): MetricData[] {
  const { name, help, values } = metric
  const type = String(metric.type)
  const shared = {
    descriptor: { name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'histogram')
    return [{ ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric, now) }]
  const dataPoints = values.map(({ labels, value }) => point(labels, value, now))
  if (type === 'counter') return [{ ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }]
  return type === 'gauge' ? [{ ...shared, dataPointType: DataPointType.GAUGE, dataPoints }] : []
}

/** Sends the metrics that `/metrics` shows, each `everyMs` and at the end. */
export function sendMetrics(
  exporter: Pick<OTLPMetricExporter, 'export' | 'shutdown'>,
  resource: Resource,
  everyMs: number,
  onFailure: (error: unknown) => void,
): { stop(): Promise<void> } {
  const send = async () => {
    const now = hrTime()
    const metrics = ((await register.getMetricsAsJSON()) as Found[]).flatMap((metric) => metricOf(metric, now))
    // What does not arrive is sent again as part of the next.
    await new Promise<void>((resolve) => {
      exporter.export({ resource, scopeMetrics: [{ scope: { name: 'gettone' }, metrics }] }, ({ error }) => {
        if (error) onFailure(error)
        resolve()
      })
    })
  }
  const timer = setInterval(() => void send(), everyMs).unref()
  return {
    async stop() {
      clearInterval(timer)
      await send()
      await exporter.shutdown()
    },
  }
}
