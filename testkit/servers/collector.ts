import { aReceiver } from './receiver.ts'

interface Value {
  stringValue?: string
  intValue?: number | string
  boolValue?: boolean
}

/** A span as OTLP writes it in JSON. */
export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Value }[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}

export interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  endpoint: string
  spans(): CollectedSpan[]
  /** Names of the metrics of the last sending, with their values. */
  metrics(): Record<string, unknown>
  /** From now on everything is refused. */
  refuse(): void
  /** All that arrived, as text. */
  text(): string
}

type Spans = { resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[] }
type Metrics = { resourceMetrics: { scopeMetrics: { metrics: ({ name: string } & Record<string, unknown>)[] }[] }[] }

/** A collector of OpenTelemetry on this machine, which takes OTLP in JSON; closed when the test ends. */
export async function aCollector(): Promise<Collector> {
  const receiver = await aReceiver()
  receiver.answer = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const bodiesOf = <T>(path: string) =>
    receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body) as T)
  return {
    endpoint: new URL(receiver.url).origin,
    spans: () =>
      bodiesOf<Spans>('/v1/traces').flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    metrics: () => {
      const [last] = bodiesOf<Metrics>('/v1/metrics').slice(-1)
      const all = last?.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
      return Object.fromEntries((all ?? []).map((metric) => [metric.name, metric]))
    },
    refuse: () => {
      receiver.answer = (response) => response.writeHead(400).end()
    },
    text: () => receiver.received.map(({ body }) => body).join('\n'),
  }
}

/** An attribute of a span. */
export function factOf({ attributes }: CollectedSpan, key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value
  return value?.stringValue ?? value?.intValue ?? value?.boolValue
}
