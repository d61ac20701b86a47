// The one file that loads OpenTelemetry: `open-telemetry.ts` imports it when a collector is set.
import { setTimeout as pause } from 'node:timers/promises'
import {
  isValidTraceId,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type NewSpan, type Span, type Tracer, traceBy } from '#database/frame/watching/cause.ts'
import { createOnceLog, type Log } from '../log/once-log.ts'
import { sendMetrics } from './telemetry-metrics.ts'

export interface TelemetrySettings {
  /** The address of a collector that takes OTLP over HTTP, without a path of a signal. */
  endpoint: string
  /** Of all traces, this share is sent: 0 to 1. */
  share: number
  version: string
  /** Milliseconds between two sendings of metrics. */
  metricsMs: number
  log: Pick<Log, 'warn'>
}

/** So long the last spans and metrics may take when the process ends. */
const longestEndMs = 5_000

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<NewSpan['kind'], SpanKind>

/** A span of ours with that of OpenTelemetry. */
class TracedSpan implements Span {
  readonly span: OtelSpan
  readonly traceparent: string
  constructor(span: OtelSpan) {
    this.span = span
    const { traceId, spanId, traceFlags } = span.spanContext()
    this.traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
  }
  end({ facts, error }: Parameters<Span['end']>[0] = {}): void {
    if (facts) this.span.setAttributes(facts)
    if (error !== undefined) {
      // Its message may quote a value.
      this.span.setAttribute('error.type', kindOf(error))
      this.span.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.span.end()
  }
}

function kindOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'error').slice(0, 100)
}

function contextOf(parent: NewSpan['parent']): SpanContext | null {
  if (parent instanceof TracedSpan) return parent.span.spanContext()
  return typeof parent === 'string' ? parseTraceParent(parent) : null
}

/** Of traces of others too, this share is kept: a caller may not make us keep all of its own. */
function samplerOf(share: number) {
  const root = new TraceIdRatioBasedSampler(share)
  return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: new AlwaysOffSampler() })
}

function tracerOf(provider: TracerProvider, ids: { next: string | undefined }): Tracer {
  const tracer = provider.getTracer('gettone')
  return {
    start({ name, kind, facts = {}, parent, links = [], traceId }) {
      const from = contextOf(parent)
      ids.next = traceId !== undefined && isValidTraceId(traceId) ? traceId : undefined
      const isRemote = from !== null && typeof parent === 'string'
      const context = from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote }) : ROOT_CONTEXT
      const others = links
        .filter((one) => one instanceof TracedSpan)
        .map(({ span }) => ({ context: span.spanContext() }))
      return new TracedSpan(tracer.startSpan(name, { kind: kinds[kind], attributes: facts, links: others }, context))
    },
  }
}

/** Traces this process and sends its spans and metrics to the collector, until it is stopped. */
export function startTelemetry({ endpoint, share, version, metricsMs, log }: TelemetrySettings): {
  stop(): Promise<void>
} {
  const resource = resourceFromAttributes({ 'service.name': 'gettone', 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }),
  )
  const logOnce = createOnceLog(log)
  const onFailure = (error: unknown) =>
    logOnce('collector', { error }, 'The collector does not take traces and metrics')
  setGlobalErrorHandler(onFailure)
  const ids: { next: string | undefined } = { next: undefined }
  const random = new RandomIdGenerator()
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(share),
    idGenerator: {
      generateSpanId: () => random.generateSpanId(),
      generateTraceId: () => ids.next ?? random.generateTraceId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) })],
  })
  const metrics = sendMetrics(new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }), resource, metricsMs, onFailure)
  traceBy(tracerOf(provider, ids))
  return {
    async stop() {
      traceBy(undefined)
      // A collector that is away does not delay the end of the process for long.
      await Promise.race([
        Promise.allSettled([metrics.stop(), provider.shutdown()]),
        pause(longestEndMs, undefined, { ref: false }),
      ])
    },
  }
}
